import type { Use } from '../use.ts'
import { readDocument } from './document.ts'
import { type OfficePackage, openPackage, partsOf } from './package.ts'
import { readSlides } from './slides.ts'

/** Reads the slides of a presentation or the text of a Word document (ECMA-376, ISO 29500). */
export async function readOffice(bytes: Uint8Array): Promise<Iterable<Use>> {
  const office = await openPackage(bytes)
  return 'problem' in office ? [{ kind: 'unreadable', message: office.problem }] : readPackage(office)
}

function* readPackage(office: OfficePackage): Generator<Use> {
  const [main] = partsOf(office.relations(''), 'officeDocument')
  const root = main === undefined ? undefined : office.rootOf(main)
  if (main !== undefined && root === 'presentation') yield* readSlides(office, main)
  else if (main !== undefined && root === 'document') yield* readDocument(office, main)
  else if (office.problems.length === 0) office.problems.push(UNKNOWN)
  for (const message of office.problems) yield { kind: 'unreadable', message }
}

const UNKNOWN = 'is not a presentation or text document: open it in its program and save it as .pptx or .docx'
