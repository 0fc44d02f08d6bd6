import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { bodyCharsMax, footerCharsMax, lifetimeSeconds, offerBodyCharsMax } from '../../../../base/upstreamLimits.ts'
import {
  buttonKinds,
  headerKinds,
  headerOf,
  kindOf,
  offerButtonKinds,
  offerHeaderKinds,
} from '../../../../templates/authoring/parts.ts'
import { Choice } from '../../components/Choice.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { DraftNotice } from '../../components/Form.tsx'
import { choicesOf, labelled } from '../../components/fields.ts'
import { span } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { tile, two } from '../../components/tile.ts'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { texts } from '../../texts/texts.ts'
import { Basics, type Fixed } from './Basics.tsx'
import { ButtonList } from './ButtonFields.tsx'
import { CardsFields } from './CardsFields.tsx'
import { CodeFields } from './CodeFields.tsx'
import { type DraftState, fieldOf, textsOf } from './draftState.ts'
import { HeaderFields, type UploadTarget } from './HeaderFields.tsx'
import { NumberField } from './NumberField.tsx'
import { PhonePreview } from './PhonePreview.tsx'
import { BodyFields, CharCounter } from './TextFields.tsx'

const words = templateWords.editor

/** A template to be written, with its preview beside it. @param fixed null for a new one */
export function TemplateForm(props: {
  state: DraftState
  target: UploadTarget
  fixed: Fixed | null
  /** Its submission. */
  change: { readonly isPending: boolean; readonly error: unknown }
  onSubmit: () => void
  /** It was given up. */
  onCancel: () => void
}) {
  const { state, target, fixed, change, onSubmit, onCancel } = props
  const { draft, problems, showAll, isWritten } = state
  const [isLeaving, setLeaving] = useState(false)
  const [code] = draft.buttons
  const aside = useRef<HTMLElement>(null)
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        showAll()
        if (problems === 0) onSubmit()
        // Once the problem is shown.
        else setTimeout(toFirstProblem)
      }}
    >
      <div className="template-sides">
        <Stack>
          {state.isRestored && <DraftNotice onDiscard={state.beginAnew} />}
          <Basics state={state} fixed={fixed} />
          {draft.category === 'AUTHENTICATION' && code?.kind === 'oneTimeCode' ? (
            <Section title={words.code}>
              <CodeFields state={state} button={code} />
            </Section>
          ) : (
            <MessageSections state={state} target={target} isFormatFixed={fixed !== null} />
          )}
          <More state={state} />
          {change.error ? <ErrorView error={change.error} /> : null}
          <Group className="editor-bar" gap="xs">
            <Button
              variant="default"
              className="to-preview sign-on-telephone"
              leftSection={<IconEye size={16} />}
              onClick={() => aside.current?.scrollIntoView({ block: 'end' })}
            >
              {templateWords.preview}
            </Button>
            <div role="status" className="editor-state">
              {problems > 0 && state.isAllShown && (
                <Anchor component="button" type="button" size="sm" onClick={toFirstProblem}>
                  {words.problems(problems)}
                </Anchor>
              )}
            </div>
            <Group gap="xs" wrap="nowrap">
              <Button variant="default" onClick={() => (isWritten ? setLeaving(true) : onCancel())}>
                {texts.common.cancel}
              </Button>
              <Button type="submit" loading={change.isPending}>
                {words.submit}
              </Button>
            </Group>
          </Group>
        </Stack>
        <aside ref={aside} className="template-aside" aria-label={templateWords.preview}>
          <Section title={texts.messages.bubble}>
            <PhonePreview draft={draft} />
          </Section>
        </aside>
      </div>
      <ConfirmDialog
        opened={isLeaving}
        onClose={() => setLeaving(false)}
        title={texts.common.loseTitle}
        confirmLabel={texts.common.loseConfirm}
        onConfirm={async () => onCancel()}
      >
        <Text size="sm">{texts.common.loseWritten}</Text>
      </ConfirmDialog>
    </form>
  )
}

const toFirstProblem = () => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()

function MessageSections(props: { state: DraftState; target: UploadTarget; isFormatFixed: boolean }) {
  const { state, target, isFormatFixed } = props
  const { draft, change } = state
  const { header, body, footer, offer, parameterFormat } = draft
  const kind = kindOf(draft)
  const heads = kind === 'offer' ? offerHeaderKinds : headerKinds
  return (
    <>
      {kind !== 'carousel' && (
        <Section title={words.header}>
          <Stack gap="sm">
            <div className="tiles" style={tile(two)}>
              <Choice
                label={texts.messages.fields.type}
                value={header.kind}
                onChange={value => change({ header: headerOf(heads.find(known => known === value) ?? 'none', header) })}
                data={heads.map(value => ({ value, label: words.headerKinds[value] }))}
              />
            </div>
            <HeaderFields
              state={state}
              part={header}
              path="/header"
              target={target}
              onChange={next => change({ header: next })}
            />
          </Stack>
        </Section>
      )}
      {offer && (
        <Section title={words.offer}>
          <Stack gap="sm">
            <TextInput
              label={words.offerText}
              required
              {...textsOf({ state, part: offer, path: '/offer', onChange: next => change({ offer: next }) })('text')}
            />
            <Checkbox
              label={words.offerExpires}
              checked={offer.hasExpiration}
              onChange={event => change({ offer: { ...offer, hasExpiration: event.currentTarget.checked } })}
            />
          </Stack>
        </Section>
      )}
      <Section title={words.body}>
        <Stack gap="sm">
          {!isFormatFixed && (
            <div className="tiles" style={tile(two)}>
              <Choice
                label={words.variableFormat}
                value={parameterFormat}
                onChange={value => change({ parameterFormat: value === 'NAMED' ? value : 'POSITIONAL' })}
                data={choicesOf(words.variableFormats)}
              />
            </div>
          )}
          <BodyFields
            state={state}
            part={body}
            path="/body"
            max={kind === 'offer' ? offerBodyCharsMax : bodyCharsMax}
            onChange={next => change({ body: next })}
          />
          {kind === 'message' && (
            <TextInput
              {...labelled(words, 'footer')}
              rightSection={<CharCounter text={footer} max={footerCharsMax} />}
              rightSectionWidth={64}
              {...textsOf({ state, part: draft, path: '', onChange: change })('footer')}
            />
          )}
        </Stack>
      </Section>
      {kind === 'carousel' ? (
        <Section title={words.cards}>
          <CardsFields state={state} target={target} />
        </Section>
      ) : (
        <Section title={words.buttons}>
          <ButtonList state={state} kinds={kind === 'offer' ? offerButtonKinds : buttonKinds} />
        </Section>
      )}
    </>
  )
}

function More({ state }: { state: DraftState }) {
  const { draft, change } = state
  const bounds = lifetimeSeconds[draft.category]
  if (!bounds) return null
  return (
    <Section title={words.more}>
      <NumberField
        {...labelled(words, 'lifetime')}
        unit={words.seconds}
        placeholder={`${span(bounds.min)} – ${span(bounds.max)}`}
        value={draft.lifetimeSeconds}
        onChange={lifetimeSeconds => change({ lifetimeSeconds })}
        field={fieldOf(state, '/lifetimeSeconds')}
      />
    </Section>
  )
}
