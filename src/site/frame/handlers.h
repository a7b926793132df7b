/* The handlers of the table of pages, by file. */
#pragma once

#include "site/frame/page.h"

/* admin_*_page.c */
page_load admin_overview_load;
page_load admin_accounts_load;
page_act admin_accounts_act;
page_load admin_account_load;
page_act admin_account_act;
page_load admin_jobs_load;
page_load admin_sync_load;
page_load admin_deliveries_load;
page_load admin_mail_load;
page_act admin_mail_act;
page_load admin_nodes_load;
page_load admin_storage_load;
page_load admin_log_load;
page_load admin_log_csv_load;

/* docs.c */
page_load docs_load;
page_load docs_search_load;

/* trades_page.c, trades_csv.c, trades_feed.c, trade_page.c */
page_load trades_page_load;
page_load trades_feed_load;
page_load trades_csv_load;
page_load trade_page_load;

/* late_page.c */
page_load late_page_load;

/* explore_page.c */
page_load explore_page_load;
page_load explore_csv_load;

/* filings_page.c, filings_feed.c, filing_page.c */
page_load filings_csv_load;
page_load filings_feed_load;
page_load filings_page_load;
page_load filing_page_load;

/* tickers_page.c, ticker_page.c */
page_load tickers_csv_load;
page_load tickers_feed_load;
page_load tickers_page_load;
page_load ticker_page_load;
/* politician_page.c, politician_filings_page.c, politicians_page.c */
page_load politician_page_load;
page_load politician_filings_page_load;
page_load politicians_csv_load;
page_load politicians_feed_load;
page_load politicians_page_load;

/* corrections_page.c, corrections_feed.c */
page_load corrections_page_load;
page_load corrections_csv_load;
page_load corrections_feed_load;

/* coverage_page.c */
page_load coverage_page_load;

/* committees_page.c */
page_load committees_page_load;
page_load committee_page_load;
page_load industry_page_load;

/* conflicts_page.c, trades_csv.c, trades_feed.c */
page_load conflicts_page_load;
page_load conflicts_csv_load;
page_load conflicts_feed_load;

/* search_page.c */
page_load search_page_load;

/* home.c */
page_load home_load;

/* style_page.c */
page_load style_load;
page_act style_act;

/* picture_page.c */
page_load trade_picture_load, filing_picture_load;

/* data_files.c */
page_load data_page_load, data_file_load, data_key_load;

/* compat_page.c */
page_load compat_load;

/* well_known.c */
page_load change_password_load;
page_load sitemap_load, sitemap_part_load;
page_load security_txt_load;

/* account_home.c */
page_load account_home_load;

/* account_keys.c */
page_load account_keys_load, account_key_load, account_api_keys_load;
page_act account_keys_act, account_key_act, account_key_revoke_act;
page_act account_api_keys_act, account_api_key_revoke_act;

/* desk_queue_page.c, desk_publish.c, desk_find_page.c, desk_new_page.c, desk_draft_page.c,
 * desk_row_page.c, desk_picture_page.c, desk_upload_page.c, desk_entry_page.c,
 * desk_batches_page.c */
page_load desk_queue_load, desk_find_load, desk_new_load, desk_draft_load, desk_picture_load;
page_load desk_batches_load, desk_batch_load;
page_act desk_batches_act, desk_batch_act;
page_load desk_strip_load, desk_marked_load, desk_upload_load, desk_entry_load, desk_agreement_load;
page_act desk_entry_act, desk_entry_row_act;
page_load desk_sample_load, desk_sample_row_load, desk_sample_picture_load;
page_load desk_sample_document_load;
page_act desk_sample_row_act, desk_sample_document_act;
page_act desk_publish_act, desk_new_act, desk_draft_act, desk_row_act, desk_rows_act;
page_act desk_upload_act;
extern const char *const desk_lists[]; /* fields of their forms that are repeated */

/* alerts_page.c, alert_page.c, alert_links_page.c */
page_load alerts_load, alert_load, alert_link_load, alerts_confirm_load;
page_act alerts_act, alerts_confirm_ask_act, alert_change_act, alert_act, alert_link_act;
page_act alerts_confirm_act;

/* webhooks_page.c, webhook_page.c, webhook_replay_page.c, delivery_page.c */
page_load webhooks_load, webhook_load, webhook_replay_load;
page_act webhooks_act, webhook_change_act, webhook_act, webhook_reveal_act, webhook_rotate_act;
page_act webhook_test_act, webhook_replay_act;
page_load delivery_load;
page_load delivery_body_load;
page_act delivery_act;
/* sign_in_page.c */
page_load sign_in_page_load;
page_act sign_in_page_act, sign_out_page_act;

/* sign_up_page.c */
page_load sign_up_page_load, confirm_page_load, join_page_load;
page_act sign_up_page_act, confirm_page_act, join_page_act;

/* reset_page.c */
page_load reset_page_load;
page_act reset_page_act;

/* settings_page.c */
page_load settings_page_load;
page_act sessions_page_act;

/* address_page.c */
page_load address_page_load, confirm_address_page_load;
page_act address_page_act, confirm_address_page_act;

/* factor_page.c */
page_load factor_page_load;
page_act factor_page_act, recovery_codes_page_act;

/* password_page.c */
page_load password_page_load;
page_act password_page_act;

/* account_data_page.c */
page_load delete_page_load;
page_act export_page_act, delete_page_act;
