import { readSvg as read, type SvgFacts, svgSize } from '#formats/picture/svg.ts'
import { unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { embeddedName, pictureDescription } from './embedded-text.ts'
import type { MediaDetails } from './media-task.ts'
import { openDependencies } from './svg-dependencies.ts'

/**
 * Reads the size of an SVG and its description: the `aria-label`, `<title>` or `<desc>` of the root element, in this
 * order (SVG-AAM). Reports the first error that keeps browsers from showing it, or fonts and files outside it.
 */
export async function readSvg(bytes: Buffer): Promise<Result<MediaDetails, string>> {
  const dependencies = openDependencies()
  const facts = await read(bytes, dependencies)
  const details = detailsOf(facts)
  if (!details.ok) return details
  if (facts.error !== undefined) {
    const message = `browsers cannot show this SVG because it has an error: ${embeddedName(facts.error) ?? ''}; export it again`
    return ok({ ...details.value, flaws: [{ rule: 'picture-damaged', line: null, message }] })
  }
  const flaws = dependencies.problems().map(message => ({ rule: 'picture-external' as const, line: null, message }))
  return flaws.length > 0 ? ok({ ...details.value, flaws }) : details
}

function detailsOf({ root, title, desc }: SvgFacts): Result<MediaDetails, string> {
  if (root?.name !== 'svg') return failed('it does not begin with an <svg> element; export it again as SVG')
  const size = svgSize(root.attributes)
  const description = pictureDescription(root.attributes['aria-label'], title, desc)
  return ok(withoutUndefined({ metadata: unlessEmpty(size), description }))
}
