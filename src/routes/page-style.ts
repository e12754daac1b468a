/**
 * The waiting page's style sheet, inlined into the page. Text only.
 * System fonts, one accent colour, light and dark, no layout that needs more than 320 px. Colours hold 4.5:1 in both schemes
 * (checked by axe in test/e2e/accessibility.test.ts). Logical properties only, so that right-to-left languages need no second sheet.
 */

import { OUR_SHEET } from "../core/look";

export const pageStyle = `
${OUR_SHEET}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%;background:var(--back);color:var(--ink)}
body{margin:0;min-block-size:100vh;min-block-size:100svh;display:flex;flex-direction:column;align-items:center;padding:clamp(1rem,4vw,2.5rem) clamp(.75rem,4vw,2rem);overflow-wrap:anywhere}
header,main,footer{inline-size:100%;max-inline-size:36rem}
header{display:flex;align-items:center;gap:.7rem;margin-block-end:clamp(1rem,3vw,1.75rem);padding-inline:.25rem}
header p{font-weight:600;letter-spacing:-.005em}
header img{flex:0 1 auto;block-size:auto;max-inline-size:100%}
header svg{flex:none;inline-size:2.75rem;block-size:.625rem;color:var(--accent)}
main{background:var(--card);border:1px solid var(--line);border-radius:1.25rem;padding:clamp(1.25rem,6vw,2.75rem)}
h1{font-size:clamp(1.5rem,6vw,2.125rem);line-height:1.2;letter-spacing:-.02em;font-weight:650;margin:0;text-wrap:balance}
h1:focus{outline:none}
h2{font-size:1rem;line-height:1.4;margin:0 0 .25rem}
p{margin:0}
#count{margin-block-start:clamp(1.25rem,4vw,2rem)}
#number{display:block;font-size:min((100vw - 4.5rem)/3.8,7.25rem);line-height:1;white-space:nowrap;font-weight:650;letter-spacing:-.025em;font-variant-numeric:tabular-nums;color:var(--accent);margin-inline-start:-.04em}
#number.long{font-size:min((100vw - 4.5rem)/6.6,4.75rem)}
#label{display:block;color:var(--quiet);margin-block-start:.4rem}
progress{appearance:none;-webkit-appearance:none;display:block;inline-size:100%;block-size:.5rem;margin-block-start:1.25rem;border:0;border-radius:1rem;overflow:hidden;background:var(--soft);color:var(--accent)}
progress::-webkit-progress-bar{background:var(--soft)}
progress::-webkit-progress-value{background:var(--accent);border-radius:1rem;min-inline-size:.5rem}
progress::-moz-progress-bar{background:var(--accent);border-radius:1rem}
ol{margin:1rem 0;padding-inline-start:1.25rem;display:grid;gap:.5rem}
#starts{font-size:1.5rem;font-weight:650;line-height:1.3;margin-block-start:1.1rem;font-variant-numeric:tabular-nums;color:var(--accent)}
#more{display:flex;flex-wrap:wrap;column-gap:1.25rem}
#more a{margin-block-start:1rem;padding-block:.35rem}
#estimate{font-size:1.1875rem;font-weight:600;margin-block-start:1.1rem}
#body{margin-block-start:1rem;display:grid;gap:.75rem;max-inline-size:32rem}
.box{margin-block-start:1.5rem;padding:.9rem 1.1rem;border-radius:.75rem;background:var(--soft);border-inline-start:.25rem solid var(--accent)}
.box.bad{background:transparent;border:2px solid var(--ink)}
.box:empty{margin:0;padding:0;border:0}
.box p+p{margin-block-start:.5rem}
.box p{white-space:pre-line}
.acts{display:flex;flex-wrap:wrap;align-items:center;column-gap:1.25rem}
.acts>*{margin-block-start:1.5rem}
button,.button{font:inherit;font-weight:600;display:inline-flex;align-items:center;justify-content:center;min-block-size:3rem;padding:.6rem 1.5rem;border-radius:.75rem;border:2px solid var(--accent);background:var(--accent);color:var(--on-accent);text-decoration:none;text-align:center;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}
#ask{margin-block-start:1.5rem}
#invitation,#ask{flex-basis:100%;display:grid;gap:.75rem;justify-items:start}
input{font:inherit;inline-size:100%;min-block-size:3rem;padding:.5rem .9rem;border:2px solid var(--quiet);border-radius:.75rem;background:var(--card);color:var(--ink)}
.text{font-weight:400;min-block-size:2.5rem;margin-block:-.5rem;padding:.2rem 0;border:0;background:transparent;color:var(--accent);text-decoration:underline;text-underline-offset:.2em;text-align:start}
h1+p{margin-block-start:1rem}
#proof{margin-block-start:1.25rem;display:grid;gap:.75rem;justify-items:start}
#proof progress{margin:0}
#left{margin-block-start:.75rem;font-weight:600;font-variant-numeric:tabular-nums}
#alerts{margin-block-start:1.5rem}
#alerts div{padding:0 1rem .6rem}
#alerts label{display:flex;align-items:center;gap:.7rem;min-block-size:2.75rem;cursor:pointer}
#alerts input{inline-size:1.5rem;min-block-size:1.5rem;flex:none;accent-color:var(--accent)}
.plain{background:transparent;color:var(--accent)}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.fresh{margin-block-start:1.75rem;padding-block-start:1rem;border-block-start:1px solid var(--line);display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:.25rem 1.25rem;color:var(--quiet);font-size:.9375rem;font-variant-numeric:tabular-nums}
.fresh a,footer a{display:inline-block;padding-block:.35rem}
#updates{display:block}
footer{margin-block-start:1.5rem;padding-inline:.25rem;color:var(--quiet);font-size:.9375rem}
footer ul{margin:.5rem 0 1.1rem;padding-inline-start:1.1rem;display:grid;gap:.35rem}
footer h2{color:var(--ink)}
footer>*+*,#reference+details{margin-block-start:1rem}
details{border:1px solid var(--line);border-radius:.75rem}
summary{cursor:pointer;padding:.65rem 1rem;color:var(--ink);border-radius:.75rem}
details[open] summary{border-end-start-radius:0;border-end-end-radius:0}
#languages ul{list-style:none;margin:0;padding:0 1rem .6rem;gap:0 1rem;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr))}
#languages [aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
footer noscript p{margin-block-start:1rem}
details form{padding:.25rem 1rem 1rem;display:grid;gap:.9rem;justify-items:start}
#trouble{font-weight:600}
#said-at{color:var(--quiet);font-size:.9375rem}
#soon{flex-basis:100%;margin-block-start:.6rem;color:var(--quiet);font-variant-numeric:tabular-nums}
.sr{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (scripting:enabled){:root:not([data-live]) .later[hidden]{display:block!important;visibility:hidden}}
@media (prefers-reduced-motion:no-preference){progress::-webkit-progress-value{transition:inline-size .6s ease-out}}
@media (forced-colors:active){main,.box,button,.button,details{border:1px solid CanvasText}#number{color:CanvasText}progress{border:1px solid CanvasText}progress::-webkit-progress-value{background:Highlight;forced-color-adjust:none}header svg{color:CanvasText}}
`.replace(/\n/g, "");
