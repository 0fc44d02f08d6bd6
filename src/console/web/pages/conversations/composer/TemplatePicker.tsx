import { Alert, Anchor, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { noSendValues, sendFields } from '../../../../../templates/authoring/values.ts'
import { useWorkspace } from '../../../app/session.tsx'
import { Hint } from '../../../components/Hint.tsx'
import { Loaded } from '../../../components/Loaded.tsx'
import { composer as words } from '../../../texts/en/composer.ts'
import { optOuts } from '../../../texts/en/optOuts.ts'
import { texts } from '../../../texts/texts.ts'
import { Later } from '../../messages/Scheduled.tsx'
import { languageName } from '../../templates/languageNames.ts'
import { type TemplateDetail, useTemplate } from '../../templates/queries.ts'
import { marketing, TemplateChoice } from '../../templates/TemplateChoice.tsx'
import { TemplateValues } from '../../templates/TemplateValues.tsx'
import { isFilled } from '../../templates/valueFields.ts'
import type { ConversationPage } from '../queries.ts'
import type { Message } from './composition.ts'
import { filledFrom } from './prefill.ts'
import type { ComposerState } from './useComposer.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly page: Pick<ConversationPage, 'contact' | 'noMarketing' | 'onOptOut'>
  readonly phoneNumberId: string
  /** Nothing else may be sent now. */
  readonly isOnlyWay: boolean
  readonly composer: ComposerState
}

/** Chooses a template of the line, fills it, shows it as the person will see it, and sends it. */
export function TemplatePicker({ isOpen, onClose, ...props }: Props) {
  const { draft, setDraft } = props.composer
  const chosen = draft.template
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={words.pickTitle}
      size={chosen ? 'xl' : 'lg'}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      {chosen ? (
        <Chosen {...props} templateId={chosen.id} onSent={onClose} />
      ) : (
        <Stack gap="xs">
          {props.isOnlyWay && <Hint>{words.closed}</Hint>}
          <TemplateChoice
            isFocused
            phoneNumberId={props.phoneNumberId}
            marketingNote={
              props.page.noMarketing && (
                <Text span display="block" size="sm" c="var(--mantine-color-error)">
                  {texts.contacts.noMarketing}
                </Text>
              )
            }
            onChoose={id => setDraft({ lineId: props.phoneNumberId, template: { id, values: noSendValues } })}
          />
        </Stack>
      )}
    </Modal>
  )
}

type ChosenProps = Omit<Props, 'isOpen' | 'onClose'> & { readonly templateId: string; readonly onSent: () => void }

function Chosen(props: ChosenProps) {
  const { composer, templateId } = props
  return (
    <Stack gap="sm">
      <Group>
        <Button size="xs" variant="subtle" onClick={() => composer.setDraft({ template: null })}>
          ← {words.otherTemplate}
        </Button>
      </Group>
      <Loaded query={useTemplate(templateId)}>{detail => <Filled {...props} detail={detail} />}</Loaded>
    </Stack>
  )
}

function Filled({ page, phoneNumberId, composer, detail, onSent }: ChosenProps & { detail: TemplateDetail }) {
  const { contact, noMarketing, onOptOut } = page
  const { id: workspaceId } = useWorkspace()
  const { template } = detail
  const [isMeant, setMeant] = useState(false)
  const [isLater, setLater] = useState(false)
  const given = composer.draft.template?.values
  const first = filledFrom(contact, detail)
  const values = given && {
    ...given,
    variables: { ...first.variables, ...given.variables },
    body: { ...first.body, ...given.body },
  }
  if (!values) return null
  const { name: templateName, language: templateLanguage, draft } = template
  const message = { type: 'template' as const, templateName, templateLanguage, ...sendFields(draft, values) }
  const isUnwanted = noMarketing && template.category === marketing
  const isRefused = isUnwanted && onOptOut === 'refuse'
  const isReady = template.status === 'APPROVED' && isFilled(detail, values)
  const maySend = isReady && !composer.isFull && !isRefused && (!isUnwanted || isMeant)
  const send = (one: Message) => {
    composer.sendBeside(one, texts.conversations.template(template.name))
    onSent()
  }
  return (
    <>
      <Text fw={600} className="breakable">
        {templateName}{' '}
        <Text span size="xs" c="dimmed">
          {languageName(templateLanguage)}
        </Text>
      </Text>
      <TemplateValues
        detail={detail}
        values={values}
        message={isReady ? { ...message, contactId: contact.id, phoneNumberId } : null}
        onChange={next => composer.setDraft({ template: { id: template.id, values: next } })}
      />
      {isUnwanted && (
        <Alert color="red" title={texts.contacts.noMarketing}>
          {isRefused ? (
            <>
              {optOuts.refusedHint}{' '}
              <Anchor component={Link} size="sm" href={`/w/${workspaceId}/settings#opt-outs`}>
                {optOuts.toSettings}
              </Anchor>
            </>
          ) : (
            <>
              {words.asksForNoneHint}
              <Checkbox
                mt="xs"
                label={words.sendAnyway}
                checked={isMeant}
                onChange={event => setMeant(event.currentTarget.checked)}
              />
            </>
          )}
        </Alert>
      )}
      {isLater && maySend ? (
        <Later onChoose={async sendAt => send({ ...message, sendAt })} onDone={() => setLater(false)} />
      ) : (
        <Group justify="flex-end">
          <Button variant="default" disabled={!maySend} onClick={() => setLater(true)}>
            {words.later}
          </Button>
          <Button disabled={!maySend} onClick={() => send(message)}>
            {words.sendTemplate}
          </Button>
        </Group>
      )}
    </>
  )
}
