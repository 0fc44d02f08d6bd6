// Files that are embedded in the executable as text or as an asset path.
declare module '*.sql' {
  const text: string
  export default text
}
declare module '*.md' {
  const text: string
  export default text
}
declare module '*/waypost.rules.yml' {
  const text: string
  export default text
}
declare module '*/browser/standalone.js' {
  const path: string
  export default path
}
declare module '*/console.pack' {
  const path: string
  export default path
}
declare module '*/guides.pack' {
  const path: string
  export default path
}
