import { ActionIcon, type ActionIconProps, CloseButton, Menu, Text, Textarea } from '@mantine/core'
import { IconClock, IconFile, IconMapPin, IconMicrophone, IconPlus, IconSend2, IconTemplate } from '@tabler/icons-react'
import { type ComponentProps, lazy, Suspense, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { captionCharsMax, textCharsMax } from '../../../../../base/upstreamLimits.ts'
import { answerPlace, hasKeys, isSendKey, sendKey } from '../../../app/keyboard.ts'
import { PageBoundary } from '../../../app/PageBoundary.tsx'
import { useAccount } from '../../../app/session.tsx'
import { FormDialog } from '../../../components/FormDialog.tsx'
import { Hint } from '../../../components/Hint.tsx'
import { useLoss } from '../../../components/losses.ts'
import { whole } from '../../../components/numbers.ts'
import { composer as words } from '../../../texts/en/composer.ts'
import { texts } from '../../../texts/texts.ts'
import { contactName } from '../../contacts/queries.ts'
import { Later } from '../../messages/Scheduled.tsx'
import type { ConversationPage } from '../queries.ts'
import { useIsNarrow } from '../widths.ts'
import { Attachments } from './Attachments.tsx'
import { type Quote, takesWords, written } from './composition.ts'
import { PlaceDialog } from './PlaceDialog.tsx'
import type { ComposerState } from './useComposer.ts'
import { useUpload } from './useUpload.ts'

const Recorder = lazy(async () => ({ default: (await import('./Recorder.tsx')).Recorder }))

/** What is dropped on the conversation, or chosen, or pasted. */
export type TakeFiles = (files: FileList | null | undefined) => boolean

export interface ComposerProps {
  readonly page: ConversationPage
  readonly composer: ComposerState
  /** Gets what takes files that are dropped elsewhere on the conversation. */
  readonly onTaker: (take: TakeFiles | null) => void
}

interface FieldProps extends ComposerProps {
  readonly onPick: () => void
  readonly begins: boolean
  /** Told whether something is recorded or uploaded: it would be lost with the field. */
  readonly onBusy: (isBusy: boolean) => void
}

/** What is written: text, files, and what it answers. */
export function Field(props: FieldProps) {
  const { page, composer, onTaker, onPick, begins, onBusy } = props
  const { draft, setDraft, addFile, send, isFull } = composer
  const { text, quote, files } = draft
  const { enterSends: chosen } = useAccount().preferences
  const enterSends = chosen ?? hasKeys
  const isNarrow = useIsNarrow()
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const [isPlacing, placing] = useState(false)
  const [isRecording, record] = useState(false)
  const [isLater, setLater] = useState(false)
  const upload = useUpload(addFile)
  const { uploading } = upload
  // What was recorded is nowhere else.
  useLoss(
    uploading.some(({ isVoice }) => isVoice),
    words.loseRecording,
  )
  const isBusy = isRecording || uploading.length > 0
  useEffect(() => {
    onBusy(isBusy)
    return () => onBusy(false)
  }, [isBusy, onBusy])
  /** It was sent while files were on their way: it leaves once they are there, unless somebody writes on. */
  const [isDue, setDue] = useState(false)
  const start = (given: readonly File[], isVoice = false) => {
    setDue(false)
    upload.start(given, isVoice)
    field.current?.focus()
  }
  const take: TakeFiles = given => {
    if (!given || given.length === 0) return false
    start([...given])
    return true
  }
  const taker = useRef(take)
  taker.current = take
  useEffect(() => {
    onTaker(given => taker.current(given))
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

  const isWithFiles = files.length > 0
  const over = takesWords(files) ? [...text].length - (isWithFiles ? captionCharsMax : textCharsMax) : 0
  const isReady = written(draft).messages.length > 0 && over <= 0 && uploading.length === 0 && !isFull
  const isEmpty = text === '' && files.length + uploading.length === 0
  const isStuck = uploading.some(one => one.problem !== null)
  const isComing = uploading.length > 0 && !isStuck
  /** Somebody wanted to send beside a file that is not there. */
  const [isHeld, setHeld] = useState(false)
  const problemId = useId()
  const submit = (sendAt: string | null = null) => {
    setDue(isComing)
    setHeld(isStuck)
    if (!isReady) return
    upload.forgive()
    send(sendAt)
  }
  const sendDue = useEffectEvent(() => isDue && !isComing && submit())
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the last file is there, or cannot come
  useEffect(() => void sendDue(), [isComing])
  const held = isHeld && isStuck ? words.heldByFile : null
  const problem = upload.problem ?? held ?? (over > 0 ? words.tooLong(whole(over)) : isFull ? words.tooMany : null)
  return (
    <>
      {quote && <QuotedStrip quote={quote} name={contactName(page.contact)} onDrop={() => setDraft({ quote: null })} />}
      <Attachments
        files={files}
        uploading={uploading}
        onChange={next => {
          setDue(false)
          setDraft({ files: next })
          field.current?.focus()
        }}
        onAgain={upload.again}
        onDrop={({ key }) => {
          setDue(false)
          upload.drop(key)
        }}
      />
      {!takesWords(files) && text.trim() !== '' && <Hint>{words.soundHasNoText}</Hint>}
      {problem !== null && (
        <Text id={problemId} role="alert" size="sm" c="red">
          {problem}
        </Text>
      )}
      {isRecording && (
        <PageBoundary>
          <Suspense>
            <Recorder
              onEnd={recorded => {
                record(false)
                if (recorded) start([recorded], true)
                else field.current?.focus()
              }}
            />
          </Suspense>
        </PageBoundary>
      )}
      <div className="composer-row">
        <input
          {...{ ref: chooser, type: 'file', hidden: true, multiple: true, 'aria-label': words.attach, tabIndex: -1 }}
          onChange={({ currentTarget }) => {
            take(currentTarget.files)
            currentTarget.value = ''
          }}
        />
        <Textarea
          {...{ ref: field, variant: 'unstyled', autosize: true, minRows: 1, maxRows: 8, value: text, ...answerPlace }}
          aria-label={words.label(contactName(page.contact))}
          placeholder={hasKeys && !isNarrow ? words.placeholder(sendKey(enterSends)) : words.placeholderShort}
          error={over > 0}
          aria-describedby={problem === null ? undefined : problemId}
          onChange={event => {
            setDue(false)
            setDraft({ text: event.currentTarget.value })
            upload.forgive()
          }}
          onPaste={event => {
            // A table that is copied has a picture of itself beside its text.
            if (event.clipboardData.getData('text/plain') === '' && take(event.clipboardData.files))
              event.preventDefault()
          }}
          onKeyDown={event => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Escape') event.currentTarget.blur()
            if (!isSendKey(event, enterSends)) return
            event.preventDefault()
            submit()
          }}
        />
        <Menu position="top-start">
          <Menu.Target>
            <Tool label={words.add}>
              <IconPlus size={22} />
            </Tool>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconFile size={16} />} onClick={() => chooser.current?.click()}>
              {words.attach}
            </Menu.Item>
            <Menu.Item leftSection={<IconTemplate size={16} />} onClick={onPick}>
              {words.template}
            </Menu.Item>
            <Menu.Item leftSection={<IconMapPin size={16} />} disabled={isFull} onClick={() => placing(true)}>
              {words.place}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        {isReady && (
          <Tool label={words.later} onClick={() => setLater(true)}>
            <IconClock size={20} />
          </Tool>
        )}
        {isEmpty && (
          <Tool label={words.record} disabled={isRecording} onClick={() => record(true)}>
            <IconMicrophone size={22} />
          </Tool>
        )}
        {/* On a telephone as everywhere that people write: the microphone in the place of what would send nothing. */}
        {!(isEmpty && isNarrow) && (
          <ActionIcon
            size={36}
            aria-label={words.send}
            title={`${words.send} (${sendKey(enterSends)})`}
            onClick={() => {
              submit()
              field.current?.focus()
            }}
            disabled={!isReady && !isComing}
            loading={isDue}
          >
            <IconSend2 size={20} />
          </ActionIcon>
        )}
      </div>
      <FormDialog opened={isLater} onClose={() => setLater(false)} title={words.laterTitle}>
        <Later
          onChoose={async sendAt => submit(sendAt)}
          onDone={() => {
            setLater(false)
            field.current?.focus()
          }}
          windowEndsAt={composer.line?.windowEndsAt ?? null}
        />
      </FormDialog>
      <PlaceDialog isOpen={isPlacing} onClose={() => placing(false)} onSend={composer.sendBeside} />
    </>
  )
}

const Tool = ({ label, ...button }: { label: string } & ActionIconProps & ComponentProps<'button'>) => (
  <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} title={label} {...button} />
)

function QuotedStrip({ quote, name, onDrop }: { quote: Quote; name: string; onDrop: () => void }) {
  const { isOurs, words: said } = quote
  return (
    <div className="composer-strip">
      <Text size="sm" component="div" className="one-behind-the-other">
        <strong>{isOurs ? words.replyToOwn : words.replyTo(name)}</strong>
        <span className="one-line" dir="auto">
          {said ?? texts.conversations.quotedEarlier}
        </span>
      </Text>
      <CloseButton size="sm" aria-label={words.dropReply} onClick={onDrop} />
    </div>
  )
}
