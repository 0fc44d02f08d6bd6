import { useState } from 'react'
import { randomWord } from '../api/request.ts'

/** One key for one content: a second click sends nothing twice, and a changed value is a new message. */
export function useContentKeys(): (content: string) => string {
  const [keys] = useState(() => new Map<string, string>())
  return content => {
    const key = keys.get(content) ?? randomWord()
    keys.set(content, key)
    return key
  }
}
