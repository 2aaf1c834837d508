import { parseSync } from 'oxc-parser';
import { readdirSync, readFileSync } from 'node:fs';
const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((f) => /\.(test|fuzz)\.ts$/.test(f));
let tests = 0;
for (const f of files) {
  const text = readFileSync('test/' + f, 'utf8');
  const { program } = parseSync(f, text);
  const literals = new Set<string>();
  const line = (at: number) => text.slice(0, at).split('\n').length;
  (function find(n: any): void {
    if (n.type === 'VariableDeclarator' && n.id.type === 'Identifier' && n.init) {
      let i = n.init; while (i.type === 'TSAsExpression' || i.type === 'TSSatisfiesExpression') i = i.expression;
      if ((i.type === 'ArrayExpression' || i.type === 'ObjectExpression') && (i.elements ?? i.properties).length) literals.add(n.id.name);
      if (i.type === 'NewExpression' && i.arguments[0]?.type === 'ArrayExpression') literals.add(n.id.name);
    }
    for (const v of Object.values(n)) for (const c of Array.isArray(v) ? v : [v]) if (c && typeof c === 'object' && 'type' in (c as any)) find(c);
  })(program);
  const sure = (e: any): boolean => {
    while (e.type === 'TSAsExpression') e = e.expression;
    if (e.type === 'ArrayExpression') return e.elements.length > 0;
    if (e.type === 'Identifier') return literals.has(e.name);
    if (e.type === 'CallExpression' && e.callee.type === 'MemberExpression') {
      if (e.callee.object.name === 'Object') return sure(e.arguments[0]);
      if (['entries','keys','values'].includes(e.callee.property.name)) return sure(e.callee.object);
    }
    return false;
  };
  (function look(n: any): void {
    if (n.type === 'CallExpression' && n.callee.type === 'Identifier' && (n.callee.name === 'it' || n.callee.name === 'test')) {
      const fn = n.arguments.find((a: any) => a.type === 'ArrowFunctionExpression' || a.type === 'FunctionExpression');
      if (fn) {
        tests++;
        let firm = 0, loose = 0;
        const walk = (m: any, loosely: boolean) => {
          if (m.type === 'CallExpression') {
            const c = m.callee.type === 'MemberExpression' ? m.callee.object : m.callee;
            if (c.type === 'Identifier' && /^(assert|expect|check|prove|judge)/.test(c.name)) { if (loosely) loose++; else firm++; }
          }
          for (const [k, v] of Object.entries(m)) for (const c of Array.isArray(v) ? v : [v]) {
            if (!c || typeof c !== 'object' || !('type' in (c as any))) continue;
            let l = loosely;
            if ((m.type === 'ForOfStatement' || m.type === 'ForInStatement') && k === 'body' && !sure(m.right)) l = true;
            if (m.type === 'IfStatement' && k !== 'test') l = true;
            if (m.type === 'CallExpression' && k === 'arguments' && m.callee.type === 'MemberExpression' && ['forEach','map','filter','flatMap'].includes(m.callee.property.name) && !sure(m.callee.object)) l = true;
            walk(c, l);
          }
        };
        walk(fn.body, false);
        if (firm === 0) console.log(`test/${f}:${line(n.start)} loose ${loose}  ${text.slice(n.start, n.start + 90).split('\n')[0]}`);
      }
    }
    for (const v of Object.values(n)) for (const c of Array.isArray(v) ? v : [v]) if (c && typeof c === 'object' && 'type' in (c as any)) look(c);
  })(program);
}
console.log(tests);
