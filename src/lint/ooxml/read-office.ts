import type { Use } from '../use.ts'
import { readDocument } from './document.ts'
import { openPackage, partsOf } from './package.ts'
import { readSlides } from './slides.ts'

/** Reads the slides of a presentation or the text of a Word document (ECMA-376, ISO 29500). */
export async function* readOffice(bytes: Uint8Array, kind: 'pptx' | 'docx'): AsyncGenerator<Use> {
  const office = await openPackage(bytes)
  if ('problem' in office) return yield { kind: 'unreadable', message: office.problem }
  const [main] = partsOf(office.relations(''), 'officeDocument')
  if (main) yield* kind === 'pptx' ? readSlides(office, main) : readDocument(office, main)
  if (!main) office.problems.push('has no main part: open it in its program and save it again')
  for (const message of office.problems) yield { kind: 'unreadable', message }
}
