import type { Use } from '../use.ts'
import { readDocument } from './document.ts'
import { type OfficePackage, openPackage, partsOf } from './package.ts'
import { readSlides } from './slides.ts'

/** Reads the slides of a presentation or the text of a Word document (ECMA-376, ISO 29500). */
export async function readOffice(bytes: Uint8Array, kind: 'pptx' | 'docx'): Promise<Iterable<Use>> {
  const office = await openPackage(bytes)
  return 'problem' in office ? [{ kind: 'unreadable', message: office.problem }] : readPackage(office, kind)
}

function* readPackage(office: OfficePackage, kind: 'pptx' | 'docx'): Generator<Use> {
  const [main] = partsOf(office.relations(''), 'officeDocument')
  if (main) yield* kind === 'pptx' ? readSlides(office, main) : readDocument(office, main)
  if (!main) office.problems.push('has no main part: open it in its program and save it again')
  for (const message of office.problems) yield { kind: 'unreadable', message }
}
