import { stylesOf } from '#test/support/converted.ts'
import { golden } from '#test/support/golden.ts'

golden('adopt/conversion/tokens/figma-variables', stylesOf)
