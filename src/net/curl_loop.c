/* Sockets and the timer of libcurl on libuv; see curl_loop.h. */
#include "net/curl_loop.h"

#include <assert.h>

#include "base/mem.h"

/* A watched socket; libcurl keeps the pointer with the socket. */
struct curl_loop_watch {
    uv_poll_t poll;
    struct curl_loop *loop;
    curl_socket_t fd;
};

struct curl_loop {
    uv_loop_t *loop;
    uv_timer_t *timer; /* separate memory: it closes later than its owner */
    CURLM *multi;
    curl_loop_ended *ended;
    void *ctx;
    size_t transfers;
    struct kept kept;
};

static void free_handle(uv_handle_t *handle)
{
    mem_free(handle); /* the handle is the first member */
}

/* Reports ended transfers one at a time, because `ended` may add and remove transfers. */
static void tell_ended(struct curl_loop *l)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(l->multi, &left))) {
        CURL *easy = message->easy_handle;
        CURLcode code = message->data.result;
        if (message->msg != CURLMSG_DONE)
            continue;
        curl_loop_remove(l, easy);
        l->ended(l->ctx, easy, code);
    }
}

static void act(struct curl_loop *l, curl_socket_t fd, int events)
{
    int running;
    curl_multi_socket_action(l->multi, fd, events, &running);
    tell_ended(l);
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    const struct curl_loop_watch *w = (const struct curl_loop_watch *)poll;
    if (status < 0)
        act(w->loop, w->fd, CURL_CSELECT_ERR);
    else
        act(w->loop, w->fd,
            (events & UV_READABLE ? CURL_CSELECT_IN : 0) |
                (events & UV_WRITABLE ? CURL_CSELECT_OUT : 0));
}

static void unwatch(struct curl_loop *l, curl_socket_t fd, struct curl_loop_watch *w)
{
    if (!w)
        return;
    curl_multi_assign(l->multi, fd, NULL);
    uv_close((uv_handle_t *)&w->poll, free_handle);
}

static struct curl_loop_watch *watch(struct curl_loop *l, curl_socket_t fd)
{
    struct curl_loop_watch *w = MEM_NEW(struct curl_loop_watch);
    *w = (struct curl_loop_watch){.loop = l, .fd = fd};
    if (uv_poll_init(l->loop, &w->poll, fd) != 0) {
        mem_free(w);
        return NULL;
    }
    curl_multi_assign(l->multi, fd, w);
    return w;
}

/* libcurl also calls it before it closes a socket. */
static int on_socket(CURL *easy, curl_socket_t fd, int what, void *ctx, void *watch_pointer)
{
    struct curl_loop *l = ctx;
    struct curl_loop_watch *w = watch_pointer;
    kept_set_in_use(&l->kept, fd, what != CURL_POLL_REMOVE);
    if (what == CURL_POLL_REMOVE) {
        unwatch(l, fd, w);
        return 0;
    }
    if (!w)
        w = watch(l, fd);
    if (!w)
        return -1; /* ends the transfers with an error */
    uv_poll_start(
        &w->poll,
        (what & CURL_POLL_IN ? UV_READABLE : 0) | (what & CURL_POLL_OUT ? UV_WRITABLE : 0),
        on_ready);
    return 0;
}

static void on_time(uv_timer_t *timer)
{
    act(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int on_timer(CURLM *multi, long timeout_ms, void *ctx)
{
    struct curl_loop *l = ctx;
    if (timeout_ms < 0)
        uv_timer_stop(l->timer);
    else
        uv_timer_start(l->timer, on_time, (uint64_t)timeout_ms, 0);
    return 0;
}

enum err curl_loop_create(
    uv_loop_t *loop, unsigned connections_max, curl_loop_ended *ended, void *ctx,
    struct curl_loop **ret, struct fail *fail)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return fail_set(fail, ERR_IO, "libcurl cannot be initialised");
    CURLM *multi = curl_multi_init();
    if (!multi) {
        curl_global_cleanup();
        return fail_set(fail, ERR_IO, "libcurl cannot be initialised");
    }
    struct curl_loop *l = MEM_NEW(struct curl_loop);
    *l = (struct curl_loop){.loop = loop, .multi = multi, .ended = ended, .ctx = ctx};
    l->timer = MEM_NEW(uv_timer_t);
    uv_timer_init(loop, l->timer);
    l->timer->data = l;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, l);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, l);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)connections_max);
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
    *ret = l;
    return OK;
}

struct kept *curl_loop_kept(struct curl_loop *l)
{
    return &l->kept;
}

void curl_loop_destroy(struct curl_loop *l)
{
    if (!l)
        return;
    assert(l->transfers == 0);
    curl_multi_cleanup(l->multi);
    curl_global_cleanup();
    kept_finish(&l->kept);
    uv_close((uv_handle_t *)l->timer, free_handle);
    mem_free(l);
}

enum err curl_loop_add(struct curl_loop *l, CURL *easy)
{
    if (curl_multi_add_handle(l->multi, easy) != CURLM_OK)
        return ERR_IO;
    l->transfers++;
    return OK;
}

void curl_loop_remove(struct curl_loop *l, CURL *easy)
{
    curl_multi_remove_handle(l->multi, easy);
    l->transfers--;
}
