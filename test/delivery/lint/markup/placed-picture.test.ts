import { placedPicture } from '#delivery/lint/markup/placed-picture.ts'
import { golden } from '../../../support/golden.ts'

golden('lint/placed-picture', ({ attributes }: { attributes: Record<string, string> }) => {
  return placedPicture(name => ({ src: 'a.svg', ...attributes })[name] ?? '') ?? 'none'
})
