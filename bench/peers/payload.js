// Payload with SQLite. As arguments: `prepare` or `serve`, the file of the database, the key of the API, the port.
import { createServer } from 'node:http'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { buildConfig, getPayload, handleEndpoints } from 'payload'
import { PAGE } from './page.js'

const [task, file, apiKey, port] = process.argv.slice(2)
const config = await buildConfig({
  secret: 'bench',
  telemetry: false,
  db: sqliteAdapter({ client: { url: `file:${file}` } }),
  collections: [
    { slug: 'users', auth: { useAPIKey: true }, fields: [] },
    {
      slug: 'pages',
      versions: { drafts: true },
      access: { read: ({ req }) => req.user !== null && { _status: { equals: 'published' } } },
      fields: [
        { name: 'workspace', type: 'text' },
        { name: 'project', type: 'text' },
        { name: 'content', type: 'textarea' },
      ],
    },
  ],
})
const payload = await getPayload({ config })
if (task === 'prepare') await fill()
else createServer(answer).listen(Number(port), '127.0.0.1')

async function fill() {
  const user = { email: 'reader@brand.test', password: 'not used here', enableAPIKey: true, apiKey }
  await payload.create({ collection: 'users', data: user })
  await payload.create({ collection: 'pages', data: { ...PAGE, _status: 'published' } })
  process.exit()
}

/** What Next does for Payload's REST interface, without Next. */
async function answer({ url, headers }, response) {
  const request = new Request(`http://127.0.0.1:${port}${url}`, { headers })
  const reply = await handleEndpoints({ config, request })
  response.writeHead(reply.status, [...reply.headers].flat())
  response.end(Buffer.from(await reply.arrayBuffer()))
}
