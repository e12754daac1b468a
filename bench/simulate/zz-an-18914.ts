export { ExchangeQueue } from "../../src/room/exchange-queue";
export { Pace } from "../../src/room/pace";
export { quietly } from "../../test/support/proof-pacing";
export { Edges } from "./edges";
export { judge } from "./judge";
export { RoomHost } from "./room-host";
export { runPlan } from "./run";
export * from "./scenarios";
export { Visitors } from "./visitors";
