import { golden } from '#test/support/golden.ts'
import { folderFacts } from '../reading.ts'

golden('intake/pages/pages', folderFacts)
