/** A text without its byte order mark and with LF at the end of every line, whatever it came with. */
export function normalText(text: string): string {
  const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text
  return unmarked.includes('\r') ? unmarked.replace(/\r\n?/g, '\n') : unmarked
}
