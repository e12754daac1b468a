/**
 * Our own endpoints under /__vestibule (DESIGN §9). Reached only through the gate, which has checked host and configuration;
 * never proxied: what is not here is 404.
 */
import { Hono } from "hono";
import { adminRoutes } from "./routes/admin";
import { getExpiry, getJwks, getPublicKey, getQueueNum, getServing, getWaiting, postAssign, postToken } from "./routes/aws";
import { getConsole, getConsoleAddress } from "./routes/console";
import { type AppContext, type AppEnv, acrossOrigins, notFound, type RoomCall } from "./routes/context";
import { getBatches, getCalendar, getDraw, getVerify } from "./routes/draws";
import { getPreview } from "./routes/preview-link";
import { getCheck, getDoor, getFile, getHealth, getLanguage, getLook, getManifest, getWait, postDoor } from "./routes/public";
import { getRehearsal } from "./routes/rehearsal";
import { getStaff, postStaff } from "./routes/staff";
import { getStatus, postClaim, postContinue, postExtend, postJoin, postLeave } from "./routes/visitor";

export const app = new Hono<AppEnv>().basePath("/__vestibule");

app.use("/rooms/:room/*", (c, next) =>
  acrossOrigins(c, async () => {
    await next();
    return c.res;
  }),
);
app.get("/health", getHealth);
app.get("/check", getCheck);
app.get("/rehearsal", getRehearsal);
app.get("/rooms/:room/manifest", getManifest);
app.get("/rooms/:room/status", getStatus);
app.get("/rooms/:room/wait", getWait);
app.get("/rooms/:room/look", getLook);
app.get("/rooms/:room/files/:name", getFile);
app.get("/rooms/:room/preview", getPreview);
app.get("/rooms/:room/language", getLanguage);
app.get("/rooms/:room/calendar.ics", getCalendar);
app.get("/rooms/:room/draws/:id", getDraw);
app.get("/rooms/:room/draws/:id/batches", getBatches);
app.get("/rooms/:room/draws/:id/verify", getVerify);
app.get("/rooms/:room/door", getDoor);
app.post("/rooms/:room/door", postDoor);
app.get("/rooms/:room/staff", getStaff);
app.post("/rooms/:room/staff", postStaff);
app.post("/rooms/:room/join", postJoin);
app.post("/rooms/:room/claim", postClaim);
app.post("/rooms/:room/extend", postExtend);
app.post("/rooms/:room/leave", postLeave);
app.post("/rooms/:room/continue", postContinue);
app.post("/rooms/:room/aws/assign_queue_num", postAssign);
app.get("/rooms/:room/aws/queue_num", getQueueNum);
app.get("/rooms/:room/aws/serving_num", getServing);
app.get("/rooms/:room/aws/waiting_num", getWaiting);
app.get("/rooms/:room/aws/queue_pos_expiry", getExpiry);
app.post("/rooms/:room/aws/generate_token", postToken);
app.get("/rooms/:room/aws/public_key", getPublicKey);
app.get("/rooms/:room/aws/.well-known/jwks.json", getJwks);
app.get("/admin", getConsoleAddress);
app.get("/admin/", getConsole);
app.route("/admin/api", adminRoutes);
// Where the platform does not serve the files itself before the Worker starts.
app.get("/assets/*", (c: AppContext) => c.env.env.ASSETS?.fetch(c.req.raw) ?? notFound());

app.notFound(notFound);
app.onError((error) => {
  throw error;
});

/** What crowds ask, a place when they come and then how it stands: so often that it does not go by the router. */
const CROWDED = /^\/__vestibule\/rooms\/([a-z0-9-]+)\/(status|join)$/;

/** The answer of our own endpoints. */
export function answerOwn(request: Request, env: AppEnv["Bindings"], ctx: ExecutionContext): Promise<Response> | Response {
  const [, room, what] = CROWDED.exec(env.url.path) ?? [];
  const isAsked = request.method === (what === "join" ? "POST" : "GET");
  if (room === undefined || !isAsked) return app.fetch(request, env, ctx);
  const call: RoomCall = { env, executionCtx: ctx, req: { raw: request, param: () => room } };
  return acrossOrigins(call, () => (what === "join" ? postJoin(call) : getStatus(call)));
}
