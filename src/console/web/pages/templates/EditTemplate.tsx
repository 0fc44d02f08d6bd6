import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { isMedia, type TemplateDraft } from '../../../../templates/authoring/draft.ts'
import { isCategoryFixed } from '../../../../templates/authoring/lifecycle.ts'
import { answerOf, api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Waiting } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { texts } from '../../texts/texts.ts'
import { useDraft } from './draftState.ts'
import type { UploadTarget } from './HeaderFields.tsx'
import { mutable, useUploadTarget } from './NewTemplate.tsx'
import { editPath, templatePath } from './paths.ts'
import { type ShownTemplate, templateQuery, useTemplateChange } from './queries.ts'
import { NotEditable, TemplateForm } from './TemplateForm.tsx'

const words = texts.templates.editor

/** An existing template, to be submitted again. */
export function EditTemplate() {
  const { id: workspaceId } = useWorkspace()
  const { phoneNumberId = '', templateId = '' } = useParams()
  const { target, error, refetch } = useUploadTarget(workspaceId, phoneNumberId)
  const known = useQuery(templateQuery(workspaceId, templateId))
  const failure = error ?? known.error
  if (failure) return <ErrorView error={failure} onRetry={() => void refetch()} />
  const template = known.data?.template
  if (!target || !template) return <Waiting />
  return (
    <>
      <PageHeader
        title={words.editTitle(template.name)}
        description={words.editDescription}
        back={{ to: templatePath(workspaceId, phoneNumberId, templateId), label: template.name }}
      />
      <Edit workspaceId={workspaceId} target={target} template={template} />
    </>
  )
}

const hasFile = ({ header, cards }: TemplateDraft) => isMedia(header) || cards.some(card => isMedia(card.header))

function Edit(props: { workspaceId: string; target: UploadTarget; template: ShownTemplate }) {
  const { workspaceId, target, template: shown } = props
  // As it was when the page was opened: its status is asked for again while somebody writes.
  const [template] = useState(shown)
  const state = useDraft(template.draft, editPath(workspaceId, target.phoneNumberId, template.id))
  const [, navigate] = useLocation()
  const edit = useTemplateChange(workspaceId, (draft: TemplateDraft) =>
    answerOf(
      api
        .workspaces({ workspaceId })
        .templates({ templateId: template.id })
        .put({ draft: mutable(draft) }),
    ),
  )
  if (template.editProblem !== null) return <NotEditable why={template.editProblem} />
  return (
    <Stack>
      {hasFile(template.draft) && <Alert color="blue">{words.mediaLost}</Alert>}
      <TemplateForm
        state={state}
        target={target}
        fixed={{ isCategoryFixed: isCategoryFixed(template.status) }}
        change={edit}
        onSubmit={() =>
          edit.mutate(state.draft, {
            onSuccess: () => {
              state.forget()
              navigate(templatePath(workspaceId, target.phoneNumberId, template.id))
            },
          })
        }
      />
    </Stack>
  )
}
