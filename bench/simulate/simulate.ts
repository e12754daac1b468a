/** One scenario from its plan to its verdicts. Virtual time: nothing else may run beside it in this process. */
import { quietly } from "../../test/support/proof-pacing";
import { type Judged, judge } from "./judge";
import { runPlan } from "./run";
import type { Scenario } from "./scenarios";

/** @param progress told every minute of virtual time */
export async function simulate(scenario: Scenario, progress?: (line: string) => void): Promise<Judged> {
  // Clients tell the log of calls that failed, as they should.
  const outcomes = await quietly(() => runPlan(scenario, progress));
  return judge(scenario, outcomes);
}
