/** A Worker that only asks for a round, for tests of `durable/beacon.ts` in workerd: `?round=…&apis=…&within=…` → what `fetchRound` says. */
import { fetchRound } from "../../durable/beacon";

export default {
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const apis = (searchParams.get("apis") ?? "").split(",");
    return Response.json(await fetchRound(Number(searchParams.get("round")), apis, Number(searchParams.get("within"))));
  },
};
