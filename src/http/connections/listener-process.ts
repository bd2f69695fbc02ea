import process from 'node:process'

// The program of a process that holds a listening socket, so that the system goes on queueing connections to it while the
// service has let go of it. It accepts none, gives the socket back when it is asked to, and ends with the service.
let held: unknown
process.on('message', (_, handle) => {
  if (handle !== undefined) held = handle
  else Reflect.apply(process.send ?? Object, process, ['listener', held])
})
