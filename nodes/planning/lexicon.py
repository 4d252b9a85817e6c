"""What on-call people complain about, and the words that systems write about it, in Chinese and English.

Used to find what a question is about and to rank what is read; it proves nothing.
"""

from collections.abc import Iterator

from superbiz.graph.domain.base import Frozen


class Concept(Frozen):
    """One complaint: words that name it in a question, words that logs, metrics and alerts use for it."""

    name: str
    asked: tuple[str, ...]
    """Lower case. Chinese ones match anywhere; Latin ones match as the beginning of a word."""
    written: tuple[str, ...]
    """Lower case substrings to look for in evidence."""


def _concept(name: str, asked: str, written: str) -> Concept:
    return Concept(name=name, asked=tuple(asked.split()), written=tuple(written.split(",")))


CONCEPTS = (
    _concept(
        "slow",
        "慢 延迟 耗时 卡 卡顿 响应时间 变慢 时延 slow latency lag slowness sluggish delay",
        "latency,slow,took,duration,elapsed,timeout,timed out,responsetime,threshold,ms",
    ),
    _concept("timeout", "超时 timeout timed-out hang hung 挂起", "timeout,timed out,deadline,took,threshold,exceeded"),
    _concept(
        "error",
        "报错 错误 异常 出错 error exception fault bug",
        "error,exception,fail,fatal,traceback,panic,status",
    ),
    _concept(
        "failure",
        "失败 fail broken 起不来 不起来 不可用 挂了 故障 坏了",
        "fail,error,refused,unavailable,abort,unable,exited",
    ),
    _concept("problem", "问题 怎么了 怎么回事 incident issue problem wrong outage 事故", "error,fail,warn,critical"),
    _concept(
        "restart",
        "重启 反复 拉起 崩溃 闪退 restart crash crashloop reboot flapping",
        "restart,crash,back-off,backoff,exit,terminated,killed,oom,last state,reason",
    ),
    _concept("memory", "内存 溢出 memory oom leak", "oom,out of memory,outofmemory,heap,killed,memory,working_set,gc"),
    _concept("cpu", "cpu 处理器 load throttl 负载", "cpu,load,throttl"),
    _concept(
        "disk", "磁盘 硬盘 空间 写满 disk storage space iops inode", "disk,no space,space left,inode,filesystem,i/o"
    ),
    _concept("mount", "挂载 mount", "mount"),
    _concept(
        "connect",
        "连不上 无法连接 连接 不通 连通 访问 不可达 断开 reach connect unreachable connection refused",
        "connect,refused,unreachable,no route,cannot open,reset,broken,closed,timed out",
    ),
    _concept(
        "network",
        "网络 丢包 路由 network packet route egress ingress 防火墙",
        "network,route,unreachable,packet,policy,egress,ingress,refused",
    ),
    _concept(
        "dns",
        "解析 域名 dns resolution resolve nxdomain",
        "resolve,resolution,dns,nxdomain,name or service,getaddrinfo,try again",
    ),
    _concept("election", "选举 无主 主节点 election leader quorum", "election,leader,quorum,vote,peer"),
    _concept("replication", "同步 复制 主从 副本 replica replication lag", "replica,replication,lag,sync,follower"),
    _concept(
        "database",
        "数据库 查询 语句 索引 表 锁 query queries sql database deadlock 死锁",
        "query,sql,statement,select,insert,update,postgres,mysql,deadlock,lock,db.",
    ),
    _concept(
        "pool",
        "连接池 线程池 排队 耗尽 用尽 pool exhausted saturation queue",
        "pool,exhausted,queue,waiting,max,rejected",
    ),
    _concept(
        "queue",
        "积压 堆积 消息 消费 队列 backlog lag consumer kafka rabbitmq",
        "lag,backlog,queue,consumer,offset,unacked",
    ),
    _concept(
        "http", "5xx 4xx 500 502 503 504 404 状态码 请求 返回 接口 http status api request", "status,http,statuscode"
    ),
    _concept(
        "auth",
        "登录 认证 鉴权 授权 权限 证书 过期 login auth permission certificate expired tls ssl denied",
        "denied,unauthorized,forbidden,auth,certificate,expired,token,permission",
    ),
    _concept(
        "traffic",
        "流量 突增 激增 暴涨 qps 并发 限流 traffic spike surge throughput rate",
        "rate,throttl,limit,requests,qps",
    ),
    _concept("alert", "告警 报警 警报 alert firing alarm paging", "firing,pending,alert"),
    _concept(
        "start",
        "启动 起动 拉起 部署 发布 上线 回滚 start startup boot deploy release rollout rollback",
        "start,boot,init,deploy,rollout,ready,failed",
    ),
    _concept("build", "构建 创建 编译 虚机 build create provision spawn", "build,built,create,spawn"),
    _concept("lost", "丢失 丢 缺失 没有数据 lost missing drop loss 断流", "lost,missing,dropped,discard,no data"),
    _concept(
        "hardware",
        "硬件 节点 宕机 主机 硬盘 node host hardware down dead 下线",
        "down,fatal,machine check,ecc,parity,uncorrectable,corrected,unreachable",
    ),
    _concept("count", "几次 多少 次数 最多 哪种 哪些 how-many most often frequent dominat", "total,count"),
    _concept("job", "作业 任务 job task batch pipeline 定时", "task,job,exited,attempt,failed,killed"),
    _concept("cause", "为什么 为何 原因 根因 why cause reason 怎么会", "caused by,reason,cause,failed,error"),
)
"""Broad on purpose: a word that is missing here only ranks evidence lower, it hides nothing."""


def concepts_in(question: str) -> Iterator[Concept]:
    """The concepts that a folded question names, in the table's order."""
    words = tuple(_latin_words(question))
    for concept in CONCEPTS:
        if any(_named(asked, question, words) for asked in concept.asked):
            yield concept


def _named(asked: str, question: str, words: tuple[str, ...]) -> bool:
    plain = asked.replace("-", " ")
    if plain.isascii():
        return plain in question if " " in plain else any(word.startswith(plain) for word in words)
    return asked in question


def _latin_words(text: str) -> Iterator[str]:
    word = ""
    for char in text + " ":
        if char.isascii() and char.isalnum():
            word += char
        elif word:
            yield word
            word = ""
