// json-server used as a module, with access control as its README shows it. As arguments: the port, the token.
import jsonServer from 'json-server'
import { PAGE } from './page.js'

const [port, token] = process.argv.slice(2)
const server = jsonServer.create()
server.use(jsonServer.defaults({ logger: false, readOnly: true }))
server.use((request, response, next) => {
  if (request.headers.authorization === `Bearer ${token}`) next()
  else response.sendStatus(401)
})
server.use(jsonServer.router({ pages: [{ id: 'page-1', ...PAGE }] }))
server.listen(Number(port), '127.0.0.1')
