/** The sample of every state, at one instant; shared by the tests of the page. */
import { sampleEvent, sampleStates, sampleStatus } from "../../src/core/sample-states";
import type { Status } from "../../src/core/status";

export const NOW = Date.UTC(2026, 10, 29, 9, 21, 7);

export const status = (change: Partial<Status> = {}): Status => sampleStatus(NOW, change);
export const EVENT = sampleEvent(NOW);
export const STATES = sampleStates(NOW);
