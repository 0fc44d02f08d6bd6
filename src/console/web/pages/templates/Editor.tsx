import { Alert, Stack } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { templateNameCharsMax } from '../../../../base/upstreamLimits.ts'
import { emptyDraft, isMedia, type TemplateDraft } from '../../../../templates/authoring/draft.ts'
import { isCategoryFixed } from '../../../../templates/authoring/lifecycle.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { PageLoading } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Warning } from '../../components/Warning.tsx'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { useDraft } from './draftState.ts'
import type { UploadTarget } from './HeaderFields.tsx'
import {
  editPath,
  listPath,
  newPath,
  type ShownTemplate,
  templatePath,
  useTemplate,
  useTemplateChange,
  useTemplates,
} from './queries.ts'
import { TemplateForm } from './TemplateForm.tsx'

const words = templateWords.editor

/** A new template, or with `?copy=` a copy of another. */
export function NewTemplateEditor() {
  const [search] = useSearchParams()
  return <Editor known={search.get('copy')} isNew />
}

/** An existing template, to be submitted again. */
export function EditTemplate() {
  const { templateId = '' } = useParams()
  return <Editor known={templateId} isNew={false} />
}

/** @param props.known the id of the template that it begins with; null: an empty one */
function Editor({ known, isNew }: { known: string | null; isNew: boolean }) {
  const { id: workspaceId } = useWorkspace()
  const { phoneNumberId = '' } = useParams()
  const list = useTemplates(phoneNumberId)
  const { data, error } = useTemplate(known)
  const failure = list.error ?? error
  if (failure) return <ErrorView error={failure} onRetry={() => void list.refetch()} />
  const template = data?.template ?? null
  if (!list.data || (known !== null && !template)) return <PageLoading />
  const { channelId, canUpload } = list.data
  const name = template?.name ?? ''
  const back =
    known === null || isNew
      ? { to: listPath(workspaceId, phoneNumberId), label: templateWords.back }
      : { to: templatePath(workspaceId, phoneNumberId, known), label: name }
  return (
    <>
      <PageHeader
        title={!isNew ? words.editTitle(name) : template ? words.duplicateTitle(name) : words.createTitle}
        description={isNew ? words.description : words.editDescription}
        back={back}
      />
      <Writing template={template} target={{ phoneNumberId, channelId, canUpload }} isNew={isNew} backTo={back.to} />
    </>
  )
}

const copyName = (name: string) => `${name.slice(0, templateNameCharsMax - 5)}_copy`
const hasFile = ({ header, cards }: TemplateDraft) => isMedia(header) || cards.some(card => isMedia(card.header))

function Writing(props: { template: ShownTemplate | null; target: UploadTarget; isNew: boolean; backTo: string }) {
  const { target, isNew, backTo } = props
  const { phoneNumberId } = target
  const { id: workspaceId } = useWorkspace()
  // As it was when the page was opened: its status is polled while the user edits.
  const [template] = useState(props.template)
  const [initial] = useState(() =>
    template && isNew ? { ...template.draft, name: copyName(template.name) } : (template?.draft ?? emptyDraft),
  )
  const edited = isNew ? null : template
  const form = edited
    ? editPath(workspaceId, phoneNumberId, edited.id)
    : newPath(workspaceId, phoneNumberId, template?.id)
  const state = useDraft(initial, form)
  const [, navigate] = useLocation()
  const change = useTemplateChange((routes, draft: TemplateDraft) =>
    edited
      ? routes.templates({ templateId: edited.id }).put({ draft })
      : routes.templates.post({ phoneNumberId, draft }),
  )
  if (edited && edited.editProblem !== null) return <Warning title={words.cannotEdit}>{edited.editProblem}</Warning>
  const submit = () =>
    change.mutate(state.draft, {
      onSuccess: ({ template: { id } }) => {
        state.forget()
        navigate(templatePath(workspaceId, phoneNumberId, id))
      },
    })
  const cancel = () => {
    state.forget()
    navigate(backTo)
  }
  const fixed = edited && { isCategoryFixed: isCategoryFixed(edited.status) }
  return (
    <Stack>
      {edited && hasFile(edited.draft) && <Alert color="blue">{words.mediaLost}</Alert>}
      <TemplateForm state={state} target={target} fixed={fixed} change={change} onSubmit={submit} onCancel={cancel} />
    </Stack>
  )
}
