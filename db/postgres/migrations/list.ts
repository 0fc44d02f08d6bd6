import type { Migration } from '../../migrations.ts'
import _0000_init from './0000_init.sql' with { type: 'text' }
import _0001_one_statement from './0001_one_statement.sql' with { type: 'text' }
import _0002_lists_by_workspace from './0002_lists_by_workspace.sql' with { type: 'text' }
import _0003_leaner_send from './0003_leaner_send.sql' with { type: 'text' }
import _0004_events from './0004_events.sql' with { type: 'text' }
import _0005_inbound_lists from './0005_inbound_lists.sql' with { type: 'text' }
import _0006_webhooks from './0006_webhooks.sql' with { type: 'text' }
import _0007_media from './0007_media.sql' with { type: 'text' }
import _0008_sign_ins from './0008_sign_ins.sql' with { type: 'text' }
import _0009_conversations from './0009_conversations.sql' with { type: 'text' }
import _0010_requests from './0010_requests.sql' with { type: 'text' }
import _0011_file_shares from './0011_file_shares.sql' with { type: 'text' }
import _0012_erasures from './0012_erasures.sql' with { type: 'text' }
import _0013_former_user_ids from './0013_former_user_ids.sql' with { type: 'text' }
import _0014_readable_functions from './0014_readable_functions.sql' with { type: 'text' }
import _0015_usernames from './0015_usernames.sql' with { type: 'text' }
import _0016_template_language from './0016_template_language.sql' with { type: 'text' }
import _0017_monthly_ceilings from './0017_monthly_ceilings.sql' with { type: 'text' }
import _0018_put_away from './0018_put_away.sql' with { type: 'text' }
import _0019_reference from './0019_reference.sql' with { type: 'text' }
import _0020_leaner_settlement from './0020_leaner_settlement.sql' with { type: 'text' }
import _0021_delivering_instances from './0021_delivering_instances.sql' with { type: 'text' }
import _0022_pricing from './0022_pricing.sql' with { type: 'text' }
import _0023_key_scopes from './0023_key_scopes.sql' with { type: 'text' }
import _0024_direct_send from './0024_direct_send.sql' with { type: 'text' }
import _0025_conversation_states from './0025_conversation_states.sql' with { type: 'text' }
import _0026_line_name from './0026_line_name.sql' with { type: 'text' }
import _0027_key_lines from './0027_key_lines.sql' with { type: 'text' }
import _0028_webhook_format from './0028_webhook_format.sql' with { type: 'text' }
import _0029_own_id from './0029_own_id.sql' with { type: 'text' }
import _0030_tokens from './0030_tokens.sql' with { type: 'text' }
import _0031_template_generation from './0031_template_generation.sql' with { type: 'text' }
import _0032_number_spellings from './0032_number_spellings.sql' with { type: 'text' }
import _0033_message_again from './0033_message_again.sql' with { type: 'text' }
import _0034_line_facts from './0034_line_facts.sql' with { type: 'text' }
import _0035_platform_types from './0035_platform_types.sql' with { type: 'text' }
import _0036_unread_mark from './0036_unread_mark.sql' with { type: 'text' }
import _0037_deleted_messages from './0037_deleted_messages.sql' with { type: 'text' }
import _0038_line_label from './0038_line_label.sql' with { type: 'text' }
import _0039_preferences from './0039_preferences.sql' with { type: 'text' }
import _0040_sent_files from './0040_sent_files.sql' with { type: 'text' }
import _0041_price_rates from './0041_price_rates.sql' with { type: 'text' }
import _0042_blocked_contacts from './0042_blocked_contacts.sql' with { type: 'text' }
import _0043_scheduled from './0043_scheduled.sql' with { type: 'text' }
import _0044_batches from './0044_batches.sql' with { type: 'text' }
import _0045_opt_outs from './0045_opt_outs.sql' with { type: 'text' }
import _0046_quiet_hours from './0046_quiet_hours.sql' with { type: 'text' }
import _0047_unsettled_by_comparison from './0047_unsettled_by_comparison.sql' with { type: 'text' }
import _0048_accepted_by_keys from './0048_accepted_by_keys.sql' with { type: 'text' }
import _0049_spoken from './0049_spoken.sql' with { type: 'text' }
import _0050_settings_generation from './0050_settings_generation.sql' with { type: 'text' }
import _0051_erased_workspaces from './0051_erased_workspaces.sql' with { type: 'text' }
import _0052_erased_until from './0052_erased_until.sql' with { type: 'text' }
import _0053_arrays_of_a_send from './0053_arrays_of_a_send.sql' with { type: 'text' }

/** Every migration, oldest first, embedded in the executable. `bun run migration` writes this file. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0000_init', sql: _0000_init },
  { name: '0001_one_statement', sql: _0001_one_statement },
  { name: '0002_lists_by_workspace', sql: _0002_lists_by_workspace },
  { name: '0003_leaner_send', sql: _0003_leaner_send },
  { name: '0004_events', sql: _0004_events },
  { name: '0005_inbound_lists', sql: _0005_inbound_lists },
  { name: '0006_webhooks', sql: _0006_webhooks },
  { name: '0007_media', sql: _0007_media },
  { name: '0008_sign_ins', sql: _0008_sign_ins },
  { name: '0009_conversations', sql: _0009_conversations },
  { name: '0010_requests', sql: _0010_requests },
  { name: '0011_file_shares', sql: _0011_file_shares },
  { name: '0012_erasures', sql: _0012_erasures },
  { name: '0013_former_user_ids', sql: _0013_former_user_ids },
  { name: '0014_readable_functions', sql: _0014_readable_functions },
  { name: '0015_usernames', sql: _0015_usernames },
  { name: '0016_template_language', sql: _0016_template_language },
  { name: '0017_monthly_ceilings', sql: _0017_monthly_ceilings },
  { name: '0018_put_away', sql: _0018_put_away },
  { name: '0019_reference', sql: _0019_reference },
  { name: '0020_leaner_settlement', sql: _0020_leaner_settlement },
  { name: '0021_delivering_instances', sql: _0021_delivering_instances },
  { name: '0022_pricing', sql: _0022_pricing },
  { name: '0023_key_scopes', sql: _0023_key_scopes },
  { name: '0024_direct_send', sql: _0024_direct_send },
  { name: '0025_conversation_states', sql: _0025_conversation_states },
  { name: '0026_line_name', sql: _0026_line_name },
  { name: '0027_key_lines', sql: _0027_key_lines },
  { name: '0028_webhook_format', sql: _0028_webhook_format },
  { name: '0029_own_id', sql: _0029_own_id },
  { name: '0030_tokens', sql: _0030_tokens },
  { name: '0031_template_generation', sql: _0031_template_generation },
  { name: '0032_number_spellings', sql: _0032_number_spellings },
  { name: '0033_message_again', sql: _0033_message_again },
  { name: '0034_line_facts', sql: _0034_line_facts },
  { name: '0035_platform_types', sql: _0035_platform_types },
  { name: '0036_unread_mark', sql: _0036_unread_mark },
  { name: '0037_deleted_messages', sql: _0037_deleted_messages },
  { name: '0038_line_label', sql: _0038_line_label },
  { name: '0039_preferences', sql: _0039_preferences },
  { name: '0040_sent_files', sql: _0040_sent_files },
  { name: '0041_price_rates', sql: _0041_price_rates },
  { name: '0042_blocked_contacts', sql: _0042_blocked_contacts },
  { name: '0043_scheduled', sql: _0043_scheduled },
  { name: '0044_batches', sql: _0044_batches },
  { name: '0045_opt_outs', sql: _0045_opt_outs },
  { name: '0046_quiet_hours', sql: _0046_quiet_hours },
  { name: '0047_unsettled_by_comparison', sql: _0047_unsettled_by_comparison },
  { name: '0048_accepted_by_keys', sql: _0048_accepted_by_keys },
  { name: '0049_spoken', sql: _0049_spoken },
  { name: '0050_settings_generation', sql: _0050_settings_generation },
  { name: '0051_erased_workspaces', sql: _0051_erased_workspaces },
  { name: '0052_erased_until', sql: _0052_erased_until },
  { name: '0053_arrays_of_a_send', sql: _0053_arrays_of_a_send },
]
