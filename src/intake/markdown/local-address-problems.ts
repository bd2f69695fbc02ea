import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { problem } from '../folder/findings.ts'

/** The problem with a link or picture whose address only works on one computer; undefined for other addresses. */
export function localAddressProblem(kind: string, address: string, line: number): Problem | undefined {
  if (!LOCAL.test(address)) return undefined
  const message = `the ${kind} ${quote(address)} points to your computer, so no one else can open it: put the file into files/, and write its path relative to this page, such as ../files/logo.svg`
  return problem('link-local', message, line)
}

/** A `file:` URL, a Windows drive, a network share, or a file in a home folder on macOS or Linux. */
const LOCAL = /^(?:file:|[a-z]:(?:[\\/]|%5c)|\\\\|\/(?:Users|home)\/.+\.\w+$)/i
