import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { problem } from '../folder/findings.ts'

/** The problem with a link or a picture whose address only works on one computer; undefined for others. */
export function localAddressProblem(kind: string, address: string, line: number): Problem | undefined {
  if (!LOCAL.test(address)) return undefined
  const message = `the ${kind} ${quote(address)} has an address on your computer, which nobody else can open: put the file into files/, and write its path from this page, such as ../files/logo.svg`
  return problem('link-local', message, line)
}

/** A `file:` URL, a drive of Windows, or a share of a network. */
const LOCAL = /^(?:file:|[a-z]:(?:[\\/]|%5c)|\\\\)/i
