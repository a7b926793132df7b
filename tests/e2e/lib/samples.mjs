// The samples of /metrics.

/** Those of the page: { 'stockact_drafts{state="waiting"}': 3 }. */
export async function samples(server) {
  const { text } = await server.get('/metrics', { unchecked: true });
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}
