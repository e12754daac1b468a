/** Paths of the compiled browser modules and of the catalogues of words. Written by scripts/build-static.mjs; do not edit. */
export const assets = {
  prove: "/__vestibule/assets/prove.33b29272662d.js",
  solver: "/__vestibule/assets/solver.5b84a0496cef.js",
  verify: "/__vestibule/assets/verify.9b804fdbaa39.js",
  wait: "/__vestibule/assets/wait.1815abe87b1e.js",
  openapi: "/__vestibule/assets/openapi.dfe5e1ea8ad0.json",
  words: {
    ar: "/__vestibule/assets/words-ar.c20792894b07.json",
    de: "/__vestibule/assets/words-de.e8a544309127.json",
    es: "/__vestibule/assets/words-es.52fe160c8d9b.json",
    fr: "/__vestibule/assets/words-fr.e52a86c4f85a.json",
    id: "/__vestibule/assets/words-id.f71d8312e9cb.json",
    it: "/__vestibule/assets/words-it.8bac9f2394de.json",
    ja: "/__vestibule/assets/words-ja.533d083b36f9.json",
    ko: "/__vestibule/assets/words-ko.78a9bada4455.json",
    nl: "/__vestibule/assets/words-nl.63b6f7130997.json",
    pl: "/__vestibule/assets/words-pl.d64fb2132b80.json",
    "pt-BR": "/__vestibule/assets/words-pt-BR.9485f37b26e6.json",
    tr: "/__vestibule/assets/words-tr.77a8292922f2.json",
    "zh-Hans": "/__vestibule/assets/words-zh-Hans.60a263ae300c.json",
    "zh-Hant": "/__vestibule/assets/words-zh-Hant.51c2a7bb2437.json",
  },
} as const;
