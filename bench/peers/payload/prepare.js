// Makes the database with a published page, and a user whose key of the API is the argument.
import { getPayload } from 'payload'
import { PAGE } from '../page.js'
import config from './payload.config.js'

const payload = await getPayload({ config })
const user = { email: 'reader@brand.test', password: 'not used here', enableAPIKey: true, apiKey: process.argv[2] }
await payload.create({ collection: 'users', data: user })
await payload.create({ collection: 'pages', data: { ...PAGE, _status: 'published' } })
process.exit()
