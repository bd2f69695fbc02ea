/** A page that redirects at once: a folder of files cannot send redirects. */
export function redirectPage(reference: string): string {
  const target = reference.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<!doctype html>
<meta charset="utf-8">
<title>${target}</title>
<link rel="canonical" href="${target}">
<meta http-equiv="refresh" content="0; url=${target}">
<a href="${target}">${target}</a>
`
}
