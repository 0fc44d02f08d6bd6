import { Button } from '@mantine/core'
import { useState } from 'react'
import { emptyBody, emptyDraft, type TemplateDraft } from '../../../../templates/authoring/draft.ts'
import { exampleValuesOf, type SendValues, sendFields } from '../../../../templates/authoring/values.ts'
import { useWorkspace } from '../../app/session.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Isolated } from '../../components/Isolated.tsx'
import { Placeholder } from '../../components/Loaded.tsx'
import { Section } from '../../components/Section.tsx'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { PhonePreview } from '../templates/PhonePreview.tsx'
import { type ShownTemplate, useTemplate } from '../templates/queries.ts'
import { TestSend } from '../templates/TestSend.tsx'
import { type Campaign, usePreview } from './queries.ts'

interface OnePerson {
  /** Empty before anybody is chosen. */
  readonly name: string
  readonly draft: TemplateDraft
  /** Null: it is a text. */
  readonly template: ShownTemplate | null
  readonly values: SendValues
}

/** The bubble of one of them. */
export const Bubble = ({ person: { draft, values, template } }: { person: OnePerson }) => (
  <PhonePreview draft={draft} values={values} {...(template && { template })} />
)

/** What the first people see. @param props.lineId from which a test can be sent; null: none is */
export function Seen({ people, lineId }: { people: readonly OnePerson[]; lineId: string | null }) {
  const [isTesting, setTesting] = useState(false)
  const [first] = people
  if (!first) return null
  const { template, values } = first
  const isSame = new Set(people.map(({ name, ...seen }) => JSON.stringify(seen))).size === 1
  const mayTest = lineId !== null && template !== null
  return (
    <Section
      title={words.preview}
      actions={
        mayTest && (
          <Button variant="default" size="xs" onClick={() => setTesting(true)}>
            {words.test}
          </Button>
        )
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must reach it */}
      <ul className="plain-list seen-row" tabIndex={0}>
        {(isSame ? [first] : people).map(person => (
          <OfPerson key={person.name} person={person} />
        ))}
      </ul>
      {mayTest && (
        <FormDialog opened={isTesting} onClose={() => setTesting(false)} title={words.test}>
          <TestSend template={template} phoneNumberId={lineId} fields={sendFields(template.draft, values)} />
        </FormDialog>
      )}
    </Section>
  )
}

const OfPerson = ({ person }: { person: OnePerson }) => (
  <li>
    {person.name && (
      <Hint>
        <Isolated>{person.name}</Isolated>
      </Hint>
    )}
    <Bubble person={person} />
  </li>
)

/** The people of a campaign whose templates have been read. */
export function usePeopleSeen({ id }: Pick<Campaign, 'id'>): {
  people: readonly OnePerson[]
  lineId: string | null
  isAwaited: boolean
} {
  const preview = usePreview(id)
  const { people = [], lineId = null } = preview.data ?? {}
  const at = (place: number) => people[place]?.templateId ?? null
  // As many as the gateway tells of, and nearly always one template.
  const read = [useTemplate(at(0)), useTemplate(at(1)), useTemplate(at(2))]
  const shown = people.flatMap(({ recipient, contact, values, text }, place): OnePerson[] => {
    const template = read[place]?.data?.template ?? null
    const draft = text === null ? template?.draft : { ...emptyDraft, body: { ...emptyBody, text } }
    const name = contact?.name ?? recipient ?? words.erased
    return draft ? [{ name, draft, template, values: exampleValuesOf(values) }] : []
  })
  return { people: shown, lineId, isAwaited: [preview, ...read].some(({ isLoading }) => isLoading) }
}

/** The same of a campaign that is kept. */
export function SeenOf({ campaign }: { campaign: Campaign }) {
  const { can } = useWorkspace()
  const { people, lineId, isAwaited } = usePeopleSeen(campaign)
  // Nothing moves aside when it comes.
  if (isAwaited) return <Placeholder h={256} />
  return (
    <Seen
      people={campaign.startedAt === null ? people : people.slice(0, 1)}
      lineId={campaign.state === 'draft' && can('member') ? lineId : null}
    />
  )
}
