import { createContext, type ReactNode, useContext } from 'react'

const Searched = createContext('')

/** Marks the words of a search in the texts within. @param written what was searched for; empty: nothing is marked */
export const FoundWords = ({ written, children }: { written: string; children: ReactNode }) => (
  <Searched value={written}>{children}</Searched>
)

/** A text, with the words of the search around it marked. */
export function Found({ text }: { text: string }): ReactNode {
  const words = useContext(Searched).match(/\S+/g)
  if (words === null) return text
  const form = words.map(word => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|')
  return text.split(new RegExp(`(${form})`, 'giu')).map((piece, at) => {
    const key = `${at}`
    return at % 2 === 0 ? piece : <mark key={key}>{piece}</mark>
  })
}
