/* Publishing the accepted drafts of the desk's list. Private to src/site/desk. */
#pragma once

/* The most drafts that one form publishes: each is a commit. */
enum { DESK_PUBLISH_MAX = 100 };
