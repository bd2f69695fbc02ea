import { ok } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { invalid, type Reader } from './reader.ts'
import { readName } from './texts.ts'

/** Plain text, an email address, or a URL. */
export const readContact: Reader<string> = node => {
  const text = readName(node)
  return text.ok && /^(?:https?|mailto):/i.test(text.value.trim()) ? readUrl(node) : text
}

/** Absolute URLs only: a relative one would depend on the page, and one with a leading slash would leave the guide. */
export const readUrl: Reader<string> = node => {
  const text = readName(node)
  if (!text.ok) return text
  const url = text.value.trim()
  if (/^(?:https?:\/\/|mailto:)[^\s]+$/i.test(url) && URL.canParse(url)) return ok(url)
  return invalid(node, `is ${quote(url)}; write an address that begins with https://, http:// or mailto:`)
}
