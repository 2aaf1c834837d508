/** A reporter that ends the run with the first test that fails: nobody asks for the others. */
async function* failFast(events) {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.todo === undefined) process.exit(1);
    yield '';
  }
}

// biome-ignore lint/style/noDefaultExport: Node's test runner asks for it.
export default failFast;
