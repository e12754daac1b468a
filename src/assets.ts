/** Paths of the compiled browser modules and of the catalogues of words. Written by scripts/build-static.mjs; do not edit. */
export const assets = {
  prove: "/__vestibule/assets/prove.33b29272662d.js",
  solver: "/__vestibule/assets/solver.5b84a0496cef.js",
  verify: "/__vestibule/assets/verify.9b804fdbaa39.js",
  wait: "/__vestibule/assets/wait.270df8c2c456.js",
  openapi: "/__vestibule/assets/openapi.e5e18e12abd4.json",
  words: {
  },
} as const;
