// Files of the package, because its name alone gives the runtime's own stand-in. The client needs few of the others.
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici'
}
declare module 'undici/lib/core/symbols.js' {
  export const kParser: unique symbol
}
