import {
  IconClipboard,
  IconClock,
  IconCornerUpLeft,
  IconExternalLink,
  IconFile,
  IconForms,
  IconLayoutGrid,
  IconMapPin,
  IconPhone,
  IconPhoto,
  IconShoppingBag,
  IconUser,
  IconVideo,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import {
  type BodyDraft,
  type ButtonDraft,
  type CardDraft,
  type HeaderDraft,
  isMedia,
  type TemplateDraft,
} from '../../../../templates/authoring/draft.ts'
import { segmentsOf } from '../../../../templates/authoring/texts.ts'
import { addressKey, noSendValues, type SendValues } from '../../../../templates/authoring/values.ts'
import { useWorkspace } from '../../app/session.tsx'
import { Found } from '../../components/Found.tsx'
import { Linked } from '../../components/Linked.tsx'
import { templates as words } from '../../texts/en/templates.ts'
import { SentFile, Shown } from '../conversations/SentFile.tsx'
import type { MessageDetails } from '../messages/queries.ts'
import type { ShownTemplate } from './queries.ts'

type SentFiles = NonNullable<MessageDetails['bubble']>['files']
type HeaderFile = SentFiles['header']
export type WithExamples = Pick<ShownTemplate, 'id' | 'headerExamples'>

/**
 * A message as its reader sees it on a phone: the one bubble of the console.
 * @param sent of a message that was sent, its files: then nothing is marked as a variable
 * @param template whose examples its headers show where no file is chosen
 */
export function PhonePreview(props: {
  draft: TemplateDraft
  values?: SendValues
  sent?: SentFiles
  template?: WithExamples
}) {
  const { draft, values = noSendValues, sent, template } = props
  const { header, footer, buttons, cards, offer } = draft
  const isCode = draft.category === 'AUTHENTICATION'
  const { variables } = values
  const bodyValues = { ...variables, ...values.body }
  const isEmpty = !isCode && draft.body.text === '' && header.kind === 'none' && buttons.length === 0
  return (
    <figure className="phone" data-sent={sent !== undefined || undefined} aria-label={words.preview}>
      <div className="phone-bubble">
        <Header header={header} values={variables} file={sent?.header} template={template} place={0} />
        {offer && (
          <div className="phone-offer">
            <IconClock size={20} stroke={1.6} />
            <div>
              <strong dir="auto">{offer.text || words.optionalOffer}</strong>
              {offer.hasExpiration && <div>{words.expires}</div>}
            </div>
          </div>
        )}
        {isCode ? (
          <CodeText draft={draft} code={variables['1']} />
        ) : (
          <Body body={draft.body} values={bodyValues} isSent={sent !== undefined} />
        )}
        {isEmpty && <div className="phone-words">{words.emptyPreview}</div>}
        {!isCode && footer !== '' && (
          <div className="phone-footer" dir="auto">
            {footer}
          </div>
        )}
        <Buttons buttons={buttons} values={variables} />
      </div>
      {cards.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it
        <ul className="phone-cards" tabIndex={0} aria-label={words.carousel(cards.length)}>
          {cards.map((card, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a card is its place
            <Card key={at} card={card} at={at} values={values} file={sent?.cards[at]} template={template} />
          ))}
        </ul>
      )}
    </figure>
  )
}

type Values = Readonly<Record<string, string>>

function Card(props: { card: CardDraft; at: number; values: SendValues } & Pick<HeaderProps, 'file' | 'template'>) {
  const { card, at, values, file, template } = props
  const prefix = `c${at}_`
  const own = Object.fromEntries(
    Object.entries(values.variables).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
    ),
  )
  return (
    <li className="phone-bubble">
      <Header header={card.header} values={own} file={file} template={template} place={at + 1} />
      {card.body && <Body body={card.body} values={own} />}
      <Buttons buttons={card.buttons} values={own} addressOf={button => values.addresses[addressKey(at, button)]} />
    </li>
  )
}

const tileIcons = {
  image: IconPhoto,
  video: IconVideo,
  gif: IconVideo,
  document: IconFile,
  location: IconMapPin,
  product: IconShoppingBag,
}

interface HeaderProps {
  readonly header: HeaderDraft
  readonly values: Values
  readonly file?: HeaderFile | undefined
  readonly template: WithExamples | undefined
  /** Of the message 0, else of the card. */
  readonly place: number
}

/** What a message or a card begins with. */
export function Header(props: HeaderProps) {
  const { header, values, file, template, place } = props
  const { id: workspaceId } = useWorkspace()
  if (header.kind === 'none') return null
  if (header.kind === 'text') {
    const { text, example } = header
    return text === '' ? null : (
      <div className="phone-title" dir="auto">
        <Filled text={text} valueFor={key => values[key] || example} />
      </div>
    )
  }
  if (file?.file && header.kind !== 'location' && header.kind !== 'product')
    return (
      <div className="phone-file">
        <SentFile file={file.file} type={header.kind === 'gif' ? 'video' : header.kind} isBare />
      </div>
    )
  const { [fileKey]: kept = '', [linkKey]: link = '' } = values
  const example = template?.headerExamples[place] ?? null
  const isExample = kept === '' && (link === '' || link === example)
  const Tile = tileIcons[header.kind]
  const kindName = words.headerMedia[header.kind]
  const ownName = isExample && 'fileName' in header ? header.fileName : ''
  const name = values[nameKey] || ownName || kindName
  const tile = (
    <div className="phone-tile" data-kind={header.kind}>
      <div>
        <Tile size={header.kind === 'document' ? 22 : 34} stroke={1.4} />
        {file?.link ? (
          <a href={file.link} target="_blank" rel="noreferrer">
            <bdi>{name}</bdi>
          </a>
        ) : (
          <bdi>{name}</bdi>
        )}
      </div>
    </div>
  )
  const shownAs = header.kind === 'image' ? 'image' : header.kind === 'document' ? null : 'video'
  const of = `/api/v1/workspaces/${workspaceId}`
  const path = kept.startsWith(keptStart)
    ? `${of}/media/${kept}`
    : isExample && example !== null && `${of}/templates/${template?.id}/example?place=${place}`
  if (!isMedia(header) || shownAs === null || !path) return tile
  const shown = { id: kept || `${path} ${example}`, mimeType: shownAs === 'image' ? 'image/png' : 'video/mp4' }
  return (
    <div className="phone-file">
      <Shown key={shown.id} path={path} file={shown} shownAs={shownAs} label={kindName} instead={tile} />
    </div>
  )
}

/** Of the values of a send, those of a header: the id of a file, its address, and the name of a document. */
const fileKey = 'header'
const linkKey = 'header_link'
const nameKey = 'header_filename'
/** Of an id of a file that is kept here. Nobody can be shown what the platform alone has. */
const keptStart = 'media_'

function Body({ body, values, isSent = false }: { body: BodyDraft; values: Values; isSent?: boolean }) {
  if (body.text === '') return null
  return (
    <div className="phone-words" dir="auto">
      {isSent ? (
        <Linked text={body.text}>{piece => <Marked text={piece} />}</Linked>
      ) : (
        <Filled text={body.text} valueFor={key => values[key] || body.examples[key]} isMarked />
      )}
    </div>
  )
}

function CodeText({ draft, code }: { draft: TemplateDraft; code: string | undefined }) {
  const { securityRecommendation, expirationMinutes } = draft.code
  return (
    <>
      <div className="phone-words">
        <Marked text={words.codeBody(code || words.code) + (securityRecommendation ? words.codeSecurity : '')} />
      </div>
      {expirationMinutes !== null && <div className="phone-footer">{words.codeExpires(expirationMinutes)}</div>}
    </>
  )
}

/** A text with its variables filled. @param isMarked with the bold and italic of the upstream */
function Filled(props: { text: string; valueFor: (key: string) => string | undefined; isMarked?: boolean }) {
  const { text, valueFor, isMarked = false } = props
  return segmentsOf(text, valueFor).map(({ text: piece, variable }, at) => {
    const key = `${at}`
    if (variable === null) return isMarked ? <Marked key={key} text={piece} /> : <Found key={key} text={piece} />
    return (
      <mark key={key} className="phone-variable">
        {piece}
      </mark>
    )
  })
}

const marks = /(\*[^\s*](?:[^*\n]*[^\s*])?\*|_[^\s_](?:[^_\n]*[^\s_])?_|~[^\s~](?:[^~\n]*[^\s~])?~|```[^`]+```)/

const found = (text: string) => <Found text={text} />

function Marked({ text }: { text: string }): ReactNode {
  return text.split(marks).map((piece, at) => {
    const inner = piece.slice(1, -1)
    const key = `${at}`
    if (at % 2 === 0) return <Found key={key} text={piece} />
    if (piece.startsWith('*')) return <strong key={key}>{found(inner)}</strong>
    if (piece.startsWith('_')) return <em key={key}>{found(inner)}</em>
    if (piece.startsWith('~')) return <s key={key}>{found(inner)}</s>
    return <code key={key}>{found(piece.slice(3, -3))}</code>
  })
}

const buttonIcons = {
  quickReply: IconCornerUpLeft,
  url: IconExternalLink,
  phone: IconPhone,
  voiceCall: IconPhone,
  copyCode: IconClipboard,
  oneTimeCode: IconClipboard,
  flow: IconForms,
  catalog: IconLayoutGrid,
  multiProduct: IconLayoutGrid,
  singleProduct: IconShoppingBag,
  contactInfo: IconUser,
}

function Buttons(props: {
  buttons: readonly ButtonDraft[]
  values: Values
  /** The value of a button's URL, where it differs. */
  addressOf?: (button: number) => string | undefined
}) {
  const { buttons, values, addressOf } = props
  return buttons.map((button, at) => {
    const Sign = buttonIcons[button.kind]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
      <div key={at} className="phone-button">
        <span>
          <Sign size={16} stroke={1.8} /> <bdi>{labelOf(button)}</bdi>
          {button.kind === 'url' && button.url !== '' && (
            <span className="phone-target">
              <Filled text={button.url} valueFor={key => addressOf?.(at) || values[key] || button.example} />
            </span>
          )}
          {button.kind === 'phone' && button.phone !== '' && <span className="phone-target">{button.phone}</span>}
          {button.kind === 'copyCode' && <span className="phone-target">{values.copy_code || button.example}</span>}
        </span>
      </div>
    )
  })
}

function labelOf(button: ButtonDraft): string {
  if (button.kind === 'copyCode') return words.copyCode
  if (button.kind === 'oneTimeCode')
    return button.way === 'COPY_CODE' ? button.text || words.copyOneTimeCode : button.autofillText || words.autofill
  return button.text || words.editor.buttonKinds[button.kind]
}
