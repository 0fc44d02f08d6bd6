import {
  ActionIcon,
  Button,
  Checkbox,
  CloseButton,
  Group,
  Loader,
  NativeSelect,
  Text,
  Textarea,
  VisuallyHidden,
} from '@mantine/core'
import { IconFile, IconPaperclip, IconSend2, IconTemplate } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { lineName } from '../../../../../base/direction.ts'
import { captionCharsMax, textCharsMax } from '../../../../../base/upstreamLimits.ts'
import { Hint } from '../../../components/Hint.tsx'
import { whole } from '../../../components/numbers.ts'
import { useNow } from '../../../components/Time.tsx'
import { useFilters } from '../../../components/useFilters.ts'
import { composer as words } from '../../../texts/en/composer.ts'
import { texts } from '../../../texts/texts.ts'
import { contactName } from '../../contacts/queries.ts'
import { type ConversationPage, writeParameter } from '../queries.ts'
import { SentFile } from '../SentFile.tsx'
import { type ChosenFile, hasWords, type Quote, written } from './composition.ts'
import { TemplatePicker } from './TemplatePicker.tsx'
import type { ComposerState } from './useComposer.ts'
import { useKeyboardHeight } from './useKeyboardHeight.ts'
import { useUpload } from './useUpload.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
const sendKey = isApple ? '⌘ Enter' : 'Ctrl Enter'
/** A telephone has no such keys. */
const hasKeys = !matchMedia('(pointer: coarse)').matches

/** What is dropped on the conversation, or chosen, or pasted. */
export type TakeFile = (files: FileList | null | undefined) => boolean

interface Props {
  readonly page: ConversationPage
  readonly composer: ComposerState
  /** Gets what takes a file that is dropped elsewhere on the conversation. */
  readonly onTaker: (take: TakeFile | null) => void
}

/** Writes to the person: text and files while the window is open, or may be, and templates at any time. */
export function Composer(props: Props) {
  const { page, composer } = props
  const { line } = composer
  const { contact, lines } = page
  const now = useNow()
  useKeyboardHeight()
  const isOpenOn = (one: typeof line) => one?.isWindowKnown === false || Date.parse(one?.windowEndsAt ?? '') > now
  const isOpen = isOpenOn(line)
  const active = lines.filter(one => one.active)
  /** The line whose templates are shown, whatever the person writes to meanwhile. */
  const [pickedOn, pickOn] = useState<string | null>(null)
  const [begins, setBegins] = useState(false)
  const [{ [writeParameter]: wanted }, change] = useFilters({ [writeParameter]: '' })
  const begin = useEffectEvent(() => {
    const from = active.find(({ id }) => id === wanted) ?? line
    if (wanted === '' || from === null) return
    composer.chooseLine(from.id)
    if (isOpenOn(from)) setBegins(true)
    else pickOn(from.id)
    change({ [writeParameter]: '' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that somebody comes to write
  useEffect(begin, [wanted])
  if (line === null) return <Hint>{words.noLine}</Hint>
  const pick = () => pickOn(line.id)
  return (
    <section className="composer" aria-label={words.label(contactName(contact))}>
      <VisuallyHidden role="status">{composer.told}</VisuallyHidden>
      {active.length > 1 && (
        <Group gap="xs" wrap="nowrap">
          <Hint>{words.from}</Hint>
          <NativeSelect
            size="xs"
            aria-label={words.from}
            value={line.id}
            data={active.map(one => ({ value: one.id, label: lineName(one) }))}
            onChange={event => composer.chooseLine(event.currentTarget.value)}
          />
        </Group>
      )}
      {isOpen ? (
        <Field {...props} onPick={pick} begins={begins} />
      ) : (
        <Group gap="xs">
          <Button size="sm" leftSection={<IconTemplate size={16} />} onClick={pick} disabled={composer.isFull}>
            {words.chooseTemplate}
          </Button>
          <Hint>{words.closed}</Hint>
        </Group>
      )}
      <TemplatePicker
        isOpen={pickedOn !== null}
        onClose={() => pickOn(null)}
        page={page}
        isOnlyWay={!isOpen}
        phoneNumberId={pickedOn ?? line.id}
        composer={composer}
      />
    </section>
  )
}

function Field({ page, composer, onTaker, onPick, begins }: Props & { onPick: () => void; begins: boolean }) {
  const { draft, setDraft, send, isFull } = composer
  const { text, quote, file } = draft
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const upload = useUpload(kept => setDraft({ file: kept }))
  const { uploading } = upload
  const [isRefused, setRefused] = useState(false)
  const take: TakeFile = files => {
    const first = files?.[0]
    if (!first) return false
    setRefused(file !== null || files.length > 1)
    if (file === null) void upload.start(first)
    field.current?.focus()
    return true
  }
  const taker = useRef(take)
  taker.current = take
  useEffect(() => {
    onTaker(files => taker.current(files))
    return () => onTaker(null)
  }, [onTaker])
  useEffect(() => {
    if (begins) field.current?.focus()
  }, [begins])
  // Who replies writes next.
  const quoted = quote?.channelMessageId
  const before = useRef(quoted)
  useEffect(() => {
    if (quoted !== undefined && quoted !== before.current) field.current?.focus()
    before.current = quoted
  }, [quoted])

  const over = hasWords(file) ? [...text].length - (file ? captionCharsMax : textCharsMax) : 0
  const isReady = written(draft) !== null && over <= 0 && uploading === null && !isFull
  const problemId = useId()
  /** What was refused is told until something else is done. */
  const forgive = () => {
    setRefused(false)
    upload.forgive()
  }
  const submit = () => {
    if (!isReady) return
    forgive()
    send()
    field.current?.focus()
  }
  const problem =
    upload.problem ??
    (isRefused ? words.oneFile : over > 0 ? words.tooLong(whole(over)) : isFull ? words.tooMany : null)
  return (
    <>
      {quote && <QuotedStrip quote={quote} onDrop={() => setDraft({ quote: null })} />}
      {(file || uploading) && (
        <Attachment
          file={file}
          uploading={uploading}
          onChange={next => setDraft({ file: next })}
          onAgain={() => uploading && void upload.start(uploading.file)}
          onDrop={() => {
            upload.drop()
            setRefused(false)
            setDraft({ file: null })
            field.current?.focus()
          }}
        />
      )}
      {!hasWords(file) && text.trim() !== '' && <Hint>{words.soundHasNoText}</Hint>}
      {problem !== null && (
        <Text id={problemId} role="alert" size="sm" c="red">
          {problem}
        </Text>
      )}
      <div className="composer-row">
        <input
          {...{ ref: chooser, type: 'file', hidden: true, 'aria-label': words.attach, tabIndex: -1 }}
          onChange={({ currentTarget }) => {
            take(currentTarget.files)
            currentTarget.value = ''
          }}
        />
        <Tool label={words.attach} onClick={() => chooser.current?.click()}>
          <IconPaperclip size={20} />
        </Tool>
        <Tool label={words.template} onClick={onPick}>
          <IconTemplate size={20} />
        </Tool>
        <Textarea
          {...{ ref: field, flex: 1, autosize: true, minRows: 1, maxRows: 8, value: text, dir: 'auto' }}
          aria-label={words.label(contactName(page.contact))}
          placeholder={hasKeys ? words.placeholder(sendKey) : words.placeholderShort}
          error={over > 0}
          aria-describedby={problem === null ? undefined : problemId}
          onChange={event => {
            setDraft({ text: event.currentTarget.value })
            forgive()
          }}
          onPaste={event => {
            // A table that is copied has a picture of itself beside its text.
            if (event.clipboardData.getData('text/plain') === '' && take(event.clipboardData.files))
              event.preventDefault()
          }}
          onKeyDown={event => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Escape') event.currentTarget.blur()
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
            event.preventDefault()
            submit()
          }}
        />
        <ActionIcon
          size={36}
          aria-label={words.send}
          title={`${words.send} (${sendKey})`}
          onClick={submit}
          disabled={!isReady}
        >
          <IconSend2 size={20} />
        </ActionIcon>
      </div>
    </>
  )
}

const Tool = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} title={label} onClick={onClick}>
    {children}
  </ActionIcon>
)

function QuotedStrip({ quote, onDrop }: { quote: Quote; onDrop: () => void }) {
  const { isOurs, words: said } = quote
  return (
    <div className="composer-strip">
      <Text size="sm" component="div" className="one-behind-the-other">
        <strong>{isOurs ? words.replyToOwn : words.replyToThem}</strong>
        <span className="one-line" dir="auto">
          {said ?? texts.conversations.quotedEarlier}
        </span>
      </Text>
      <CloseButton size="sm" aria-label={words.dropReply} onClick={onDrop} />
    </div>
  )
}

/** What will be sent: a picture as it looks, anything else by its name. */
function Attachment(props: {
  file: ChosenFile | null
  uploading: ReturnType<typeof useUpload>['uploading']
  onChange: (file: ChosenFile) => void
  onAgain: () => void
  onDrop: () => void
}) {
  const { file, uploading, onChange, onAgain, onDrop } = props
  const name = file?.name ?? uploading?.file.name ?? ''
  const type = file?.type ?? uploading?.type ?? 'document'
  const isPicture = type === 'image' || type === 'sticker'
  return (
    <div className="composer-strip">
      <div className="composer-file">
        {file && isPicture ? <Preview file={file} /> : <IconFile size={22} stroke={1.4} />}
        <div>
          <Text size="sm" className="breakable" dir="auto">
            {name}
          </Text>
          {uploading && !uploading.problem && (
            <Group gap={6}>
              <Loader size={14} />
              <Hint>{words.uploading}</Hint>
            </Group>
          )}
          {uploading?.problem && (
            <Group gap={6} role="alert">
              <Text size="xs" c="red">
                {uploading.problem}
              </Text>
              <Button size="compact-xs" variant="default" onClick={onAgain}>
                {words.uploadAgain}
              </Button>
            </Group>
          )}
          {file?.type === 'audio' && (
            <Checkbox
              size="xs"
              label={words.voice}
              checked={file.isVoice}
              onChange={event => onChange({ ...file, isVoice: event.currentTarget.checked })}
            />
          )}
        </div>
      </div>
      <CloseButton size="sm" aria-label={words.dropFile(name)} onClick={onDrop} />
    </div>
  )
}

/** Of the file that the gateway has: it is there after a reload, too. */
const Preview = ({ file: { id, name, type } }: { file: ChosenFile }) => (
  <div className="composer-picture">
    <SentFile
      file={{
        id,
        state: 'stored',
        mimeType: type === 'sticker' ? 'image/webp' : 'image/png',
        bytes: null,
        saveAs: name,
        shownAs: 'image',
      }}
      type={type}
    />
  </div>
)
