import { applyEdits, type Edit, type RewriteReference } from './references.ts'

/**
 * A text, as Markdown or JSON, with each address below a public URL changed: those are whole, and all but unreserved
 * characters in them are encoded (RFC 3986 §2.3). A dead one stays.
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
