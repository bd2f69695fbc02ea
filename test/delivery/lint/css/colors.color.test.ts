import { readColor } from '#delivery/lint/css/colors.ts'
import { golden } from '../../../support/golden.ts'

golden('lint/colors', ({ text }: { text: string }) => {
  const color = readColor(text)
  return color ? `${color.hex} ${color.alpha}` : 'no colour'
})
