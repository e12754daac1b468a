/** Paths of the compiled browser modules. Written by scripts/build-static.mjs; do not edit. */
export const assets = {
  prove: "/__vestibule/assets/prove.9713bb2ef57f.js",
  solver: "/__vestibule/assets/solver.5b84a0496cef.js",
  verify: "/__vestibule/assets/verify.9b804fdbaa39.js",
  wait: "/__vestibule/assets/wait.2e6f1f9f0b42.js",
  openapi: "/__vestibule/assets/openapi.00d0e9c5d58b.json",
} as const;
