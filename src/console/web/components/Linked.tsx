import { Fragment, type ReactNode } from 'react'
import { Found } from './Found.tsx'

const addresses = /(\b(?:https?:\/\/|www\.)[^\s<>"]+)/i
/** A sentence goes on behind an address, brackets close, bold ends. From its begin on alone, which takes no time. */
const behind = /(?<![.,;:!?'’”»)\]}*~])[.,;:!?'’”»)\]}*~]+$/

/**
 * A text with the web addresses in it as links. They open a page of their own, which knows nothing of this one.
 * @param children draws what is no address; else the words of a search are marked in it
 */
export function Linked({ text, children }: { text: string; children?: (piece: string) => ReactNode }) {
  return text.split(addresses).map((piece, at) => {
    const key = `${at}`
    const shown = at % 2 === 0 ? '' : piece.replace(behind, '')
    const url = shown === '' ? null : URL.parse(/^www/i.test(shown) ? `https://${shown}` : shown)
    if (!url) return <Fragment key={key}>{children ? children(piece) : <Found text={piece} />}</Fragment>
    return (
      <Fragment key={key}>
        <a href={url.href} target="_blank" rel="noopener noreferrer" dir="ltr">
          <Found text={shown} />
        </a>
        {piece.slice(shown.length)}
      </Fragment>
    )
  })
}
