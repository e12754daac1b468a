/** Each request of a list once; when it is used up, the last one again. Keeps the cookies that each got. Runs in the process of the load. */
import { cookieIn } from "./newcomers.mjs";

/**
 * @param options { requests, names }; `names`: of the cookies that are kept
 * `collected()`: for each request the cookies it got, as `name=value`, or null = it has no answer yet
 */
export default function onceEach({ requests, names }) {
  const got = requests.map(() => null);
  let sent = 0;
  return {
    next(request, context) {
      context.at = Math.min(sent, requests.length - 1);
      sent += 1;
      return { ...request, ...requests[context.at] };
    },
    onResponse(status, body, context, headers) {
      got[context.at] = { status, body: body.slice(0, 200), cookies: names.map((name) => cookieIn(headers, name)) };
    },
    collected: () => got,
  };
}
