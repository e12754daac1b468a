/** Paths made of the pieces that gates and sites are known to read differently. For property tests. */
import fc from "fast-check";

const pieces =
  "/ / / \\ . .. ... ; ;x ;.. %3b % %2e %2E %2f %2F %5c %5C %25 %2525 %252e %252f %2563 %63 %43 2f 2e u0063 %u0063 %00 %09 %0a %20 %3f %3F %23 %253f %c0%af %c3%a9 é %ff + checkout Checkout CHECKOUT tickets x heckout".split(
    " ",
  );

/** Starts with a slash; up to ten pieces. */
export const hostilePath = fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((chosen) => `/${chosen.join("")}`);
