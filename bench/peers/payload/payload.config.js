// Payload with SQLite, in the file that the variable DATABASE names: what drafts, and keys of the API, need.
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { buildConfig } from 'payload'

export default buildConfig({
  secret: 'bench',
  telemetry: false,
  db: sqliteAdapter({ client: { url: `file:${process.env.DATABASE}` } }),
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
