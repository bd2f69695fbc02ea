import { golden } from '../../support/golden.ts'
import { session } from './session.ts'

golden('cli/in-store', session)
