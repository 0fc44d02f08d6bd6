// Files that the bundler gives an address.
declare module '*.svg' {
  const address: string
  export default address
}
