/* Sets of ports; see port_set.h. */
#include "address/port_set.h"

/* The bad ports of the Fetch standard, which browsers refuse, and ports of databases, caches,
 * message queues, mail, remote control and the control of containers. Ports from 32768 on are left
 * out: programs that ask for any free port get one of these. */
static const struct port_service services[] = {
    {1, 1, "tcpmux"},
    {7, 7, "echo"},
    {9, 9, "discard"},
    {11, 11, "systat"},
    {13, 13, "daytime"},
    {15, 15, "netstat"},
    {17, 17, "qotd"},
    {19, 19, "chargen"},
    {20, 21, "FTP"},
    {22, 22, "SSH"},
    {23, 23, "Telnet"},
    {25, 25, "SMTP"},
    {37, 37, "time"},
    {42, 42, "name service"},
    {43, 43, "whois"},
    {53, 53, "DNS"},
    {69, 69, "TFTP"},
    {77, 77, "rje"},
    {79, 79, "finger"},
    {87, 87, "link"},
    {95, 95, "supdup"},
    {101, 101, "hostname"},
    {102, 102, "ISO-TSAP"},
    {103, 103, "gppitnp"},
    {104, 104, "DICOM"},
    {109, 109, "POP2"},
    {110, 110, "POP3"},
    {111, 111, "SunRPC"},
    {113, 113, "ident"},
    {115, 115, "SFTP"},
    {117, 117, "UUCP"},
    {119, 119, "NNTP"},
    {123, 123, "NTP"},
    {135, 135, "RPC endpoint mapper"},
    {137, 139, "NetBIOS"},
    {143, 143, "IMAP"},
    {161, 162, "SNMP"},
    {179, 179, "BGP"},
    {389, 389, "LDAP"},
    {427, 427, "SLP"},
    {445, 445, "SMB"},
    {465, 465, "SMTP"},
    {512, 515, "remote shells and printers"},
    {526, 526, "tempo"},
    {530, 532, "courier"},
    {540, 540, "UUCP"},
    {548, 548, "AFP"},
    {554, 554, "RTSP"},
    {556, 556, "remotefs"},
    {563, 563, "NNTP"},
    {587, 587, "SMTP"},
    {601, 601, "syslog"},
    {631, 631, "printers"},
    {636, 636, "LDAP"},
    {873, 873, "rsync"},
    {989, 990, "FTP"},
    {993, 993, "IMAP"},
    {995, 995, "POP3"},
    {1433, 1434, "SQL Server"},
    {1521, 1521, "Oracle"},
    {1719, 1720, "H.323"},
    {1723, 1723, "PPTP"},
    {1883, 1883, "MQTT"},
    {2049, 2049, "NFS"},
    {2181, 2181, "ZooKeeper"},
    {2375, 2376, "Docker"},
    {2379, 2380, "etcd"},
    {3306, 3306, "MySQL"},
    {3389, 3389, "remote desktop"},
    {3659, 3659, "SASL"},
    {4045, 4045, "NFS locks"},
    {4190, 4190, "Sieve"},
    {4222, 4222, "NATS"},
    {4369, 4369, "Erlang"},
    {5060, 5061, "SIP"},
    {5432, 5432, "PostgreSQL"},
    {5671, 5672, "AMQP"},
    {5900, 5900, "VNC"},
    {5984, 5984, "CouchDB"},
    {5985, 5986, "WinRM"},
    {6000, 6000, "X11"},
    {6379, 6380, "Redis"},
    {6432, 6432, "PgBouncer"},
    {6443, 6443, "Kubernetes"},
    {6566, 6566, "SANE"},
    {6665, 6669, "IRC"},
    {6679, 6679, "IRC"},
    {6697, 6697, "IRC"},
    {7687, 7687, "Neo4j"},
    {8086, 8086, "InfluxDB"},
    {8500, 8500, "Consul"},
    {8883, 8883, "MQTT"},
    {9042, 9042, "Cassandra"},
    {9092, 9092, "Kafka"},
    {9160, 9160, "Cassandra"},
    {9200, 9200, "Elasticsearch"},
    {9300, 9300, "Elasticsearch"},
    {10080, 10080, "Amanda"},
    {10250, 10250, "Kubernetes"},
    {10255, 10255, "Kubernetes"},
    {11211, 11211, "memcached"},
    {26257, 26257, "CockroachDB"},
    {26379, 26379, "Redis"},
    {27017, 27019, "MongoDB"},
    {28015, 28015, "RethinkDB"},
};

enum { SERVICE_COUNT = sizeof services / sizeof *services };

const struct port_service *port_services(size_t *ret_count)
{
    *ret_count = SERVICE_COUNT;
    return services;
}

const struct port_service *port_service_of(uint16_t port)
{
    for (size_t i = 0; i < SERVICE_COUNT; i++)
        if (port >= services[i].from && port <= services[i].to)
            return &services[i];
    return NULL;
}

bool port_set_has(const struct port_set *set, uint16_t port)
{
    return set->bits[port / 64] >> port % 64 & 1;
}

static void put(struct port_set *set, uint16_t from, uint16_t to, bool in)
{
    for (uint32_t port = from; port <= to; port++) {
        uint64_t bit = UINT64_C(1) << port % 64;
        if (in)
            set->bits[port / 64] |= bit;
        else
            set->bits[port / 64] &= ~bit;
    }
}

static bool parse_port(struct str text, uint16_t *ret)
{
    int64_t port;
    if (!text.n || text.n > 5 || !ascii_is_digit(text.p[0]) || !str_to_i64(text, &port) ||
        port < 1 || port > UINT16_MAX)
        return false;
    *ret = (uint16_t)port;
    return true;
}

/* PORT or FROM-TO, with a minus before it to take out. */
static bool apply_range(struct port_set *set, struct str entry, bool in)
{
    uint16_t from, to;
    struct str last = in ? entry : str_slice(entry, 1, entry.n), first;
    str_split(&last, '-', &first);
    if (!parse_port(first, &from))
        return false;
    to = from;
    if (!str_is_null(last) && (!parse_port(last, &to) || to < from))
        return false;
    put(set, from, to, in);
    return true;
}

/* The first entry takes nothing out: there is nothing, and `default` was forgotten. */
static bool apply(struct port_set *set, struct str entry, bool is_first)
{
    bool in = !str_starts(entry, STR("-"));
    if (!str_eq(entry, STR("default")))
        return (in || !is_first) && apply_range(set, entry, in);
    for (size_t i = 0; i < SERVICE_COUNT; i++)
        put(set, services[i].from, services[i].to, true);
    return true;
}

enum err port_set_parse(struct str text, struct port_set *ret, struct fail *fail)
{
    struct port_set set = {{0}};
    struct str rest = text, entry;
    bool is_first = true;
    if (str_eq(str_trim(text), STR("none"))) {
        *ret = set;
        return OK;
    }
    for (; str_next_word(&rest, &entry); is_first = false)
        if (!apply(&set, entry, is_first))
            return fail_set(
                fail, ERR_INVALID,
                "\"%.*s\" is neither a port, a range FROM-TO nor \"default\"; a minus comes after "
                "what it takes from, and \"none\" stands alone",
                STR_ARG(str_slice(entry, 0, 80)));
    if (is_first)
        return fail_set(fail, ERR_INVALID, "no port is named; \"none\" stands for no port");
    *ret = set;
    return OK;
}
