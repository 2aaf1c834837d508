/** Style sheet of the HTML form. Colors of text have a contrast of at least 4.5 to 1 in both schemes. */
export const htmlStyle = `:root {
  --page: #f6f7f9; --card: #ffffff; --text: #1c2430; --dim: #5b6675; --line: #dde2e9; --code: #f1f3f6;
  --error: #b3202c; --warning: #8a5a00; --info: #1b5fa8; --same: #1d7a3e;
  --del: #ffe1e1; --del-text: #8f1420; --ins: #d9f5df; --ins-text: #11602d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1b2129; --text: #e3e8ee; --dim: #9aa6b5; --line: #303945; --code: #232b35;
    --error: #ff8b8f; --warning: #f0b94f; --info: #7db8ff; --same: #6fd48e;
    --del: #4a1f24; --del-text: #ffb3b6; --ins: #17402a; --ins-text: #a5ecb9;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 70rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
}
h1 { margin: 0; font-size: 1.35rem; line-height: 1.3; }
h2 { margin: 2rem 0 .6rem; font-size: 1.1rem; overflow-wrap: anywhere; }
h3 { margin: 0 0 .6rem; font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
h4 { margin: .7rem 0 .25rem; font: 600 .8rem ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--dim); }
header { padding-bottom: 1rem; border-bottom: 1px solid var(--line); }
header p { margin: .4rem 0 0; }
nav ul { list-style: none; padding: 0; margin: 1rem 0 0; columns: 22rem; }
nav li { break-inside: avoid; overflow-wrap: anywhere; }
a { color: var(--info); text-decoration: none; }
a:hover { text-decoration: underline; }
a.error { color: var(--error); }
a.warning { color: var(--warning); }
article {
  margin: 0 0 .8rem; padding: .9rem 1.1rem; background: var(--card); border: 1px solid var(--line);
  border-left: 4px solid var(--line); border-radius: 6px;
}
article.error { border-left-color: var(--error); }
article.warning { border-left-color: var(--warning); }
article.info { border-left-color: var(--info); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .9rem; margin: 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .86em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
dd code, header code, li code { background: var(--code); padding: .1em .3em; border-radius: 3px; }
.badge {
  display: inline-block; padding: 0 .5em; border: 1px solid currentColor; border-radius: 1em;
  font-size: .78rem; font-weight: 600; line-height: 1.5;
}
.badge.error { color: var(--error); }
.badge.warning { color: var(--warning); }
.badge.info { color: var(--info); }
.badge.same { color: var(--same); }
.badge.plain { color: var(--dim); }
.id { font: 600 .9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.dim { color: var(--dim); font-weight: 400; }
.notes { margin: .8rem 0 0; padding-left: 1.2rem; color: var(--dim); }
details { margin-top: .7rem; }
summary { cursor: pointer; color: var(--dim); }
table { width: 100%; border-collapse: collapse; background: var(--code); border-radius: 4px; }
td { padding: .15rem .5rem; vertical-align: top; }
td:first-child { width: 1.6rem; font-weight: 700; text-align: center; }
td.line { width: 3.5rem; color: var(--dim); text-align: right; font-size: .86em; font-variant-numeric: tabular-nums; }
tr.del td:first-child { color: var(--error); }
tr.ins td:first-child { color: var(--same); }
del { background: var(--del); color: var(--del-text); border-radius: 3px; padding: 0 .15em; }
ins { background: var(--ins); color: var(--ins-text); border-radius: 3px; padding: 0 .15em; text-decoration: none; }
tr.del del { text-decoration: none; }
@media print { body { max-width: none; background: none; } article { break-inside: avoid; } }
`;
