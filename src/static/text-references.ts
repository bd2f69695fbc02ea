import { applyEdits, type Edit, type RewriteReference } from './references.ts'

/**
 * Rewrites the addresses below a public URL in plain text, Markdown or JSON. They are absolute, and only unreserved
 * characters in them are not encoded (RFC 3986 §2.3). Dead addresses stay unchanged.
 */
export async function rewriteText(text: string, publicUrl: string, rewrite: RewriteReference): Promise<string> {
  const edits: Edit[] = []
  for (let at = text.indexOf(publicUrl); at !== -1; at = text.indexOf(publicUrl, at + publicUrl.length)) {
    const found = ADDRESS.exec(text.slice(at, at + MAX_ADDRESS))?.[0] ?? ''
    // A sentence may end with an address.
    for (const address of new Set([found, found.replace(/[.?]+$/, '')])) {
      const changed = await rewrite(address)
      if (changed === undefined || changed === address) continue
      edits.push({ start: at, end: at + address.length, text: changed })
      break
    }
  }
  return applyEdits(text, edits)
}

const ADDRESS = /^https?:\/\/[\w.~%/?#=:[\]-]*/
const MAX_ADDRESS = 8192
