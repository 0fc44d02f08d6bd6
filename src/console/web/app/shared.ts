/*
 * What is small, and shared by pages: loaded with the first one. The bundler makes a file of its own of whatever some
 * pages have in common, and a file of a few hundred bytes costs as much again, by its name in each page that takes it.
 */
import '../components/ChooseFile.tsx'
import '../components/CodeBlock.tsx'
import '../components/CopyButton.tsx'
import '../components/Facts.tsx'
import '../components/FindingItem.tsx'
import '../components/Pages.tsx'
import '../components/SearchField.tsx'
import '../components/Section.tsx'
import '../components/ShownOnce.tsx'
import '../components/StatusBadge.tsx'
import '../components/Time.tsx'
import '../components/useFilters.ts'
import '../components/Warning.tsx'
import '../pages/keys/queries.ts'
import '../pages/members/queries.ts'
import '../pages/messages/MessageStatus.tsx'
import '../pages/messages/sender.ts'
import '../pages/usage/queries.ts'
