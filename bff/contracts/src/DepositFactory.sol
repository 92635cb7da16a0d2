// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {LibCall} from "solady/src/utils/LibCall.sol";
import {LibClone} from "solady/src/utils/LibClone.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {DepositForwarder} from "./DepositForwarder.sol";
import {Terms} from "./Terms.sol";

/// @title Deposit addresses, their settlement and their refunds
/// @notice A deposit address is the CREATE2 address whose salt is the hash of the terms: knowing the terms is enough to
/// compute it, and nobody can put a contract with other terms there. There is no owner, no upgrade and no other call.
/// @dev Every door deploys the forwarder and acts on it in one step, so that a deployed forwarder is a settled one unless
/// it says that it is open. One guard here covers all forwarders, because they listen to nobody else: a hostile token that
/// calls back finds every door shut.
contract DepositFactory is ReentrancyGuard {
    /// @notice An item of a batch was left as it was. `reason` is its revert data, cut off after `REASON_MAX` bytes.
    event SettleSkipped(address indexed forwarder, bytes reason);

    error BadTerms();
    error WrongChain(uint256 expected, uint256 actual);
    error NotCovered(uint256 balance, uint256 least);
    error NotOperator(address caller, address operator);
    error NotFactory(address caller);
    error NotDeployed(address forwarder);
    error BatchTooLong(uint256 length, uint256 max);

    /// @notice Deposits in one batch: about 11 million gas, below the 16.7 million that EIP-7825 allows a transaction.
    uint256 public constant BATCH_MAX = 200;
    /// @notice Gas for one item of a batch, several times what a settlement takes, so that a hostile token cannot burn the rest's.
    uint256 public constant ITEM_GAS_MAX = 1_000_000;
    /// @notice Bytes kept of a revert: a selector and five words, which holds the text that USDC and USDT give.
    uint16 public constant REASON_MAX = 164;

    uint256 private constant BPS = 10_000;

    /// @notice The code that every deposit address runs.
    address public immutable implementation = address(new DepositForwarder());
    /// @notice Hash of the init code that deploys a forwarder.
    bytes32 public immutable cloneInitCodeHash = LibClone.initCodeHash_PUSH0(implementation);

    /// @notice The deposit address of these terms, deployed or not.
    /// @dev Malformed terms have no address, so nobody is ever asked to send money to one that no door would open.
    function forwarderOf(Terms calldata terms) public view returns (address) {
        return address(_forwarder(_saltOf(terms)));
    }

    /// @notice Pays a covered deposit to its merchant and platform. Anyone may call.
    function settle(Terms calldata terms) external nonReentrant {
        _settle(terms);
    }

    /// @notice Settles what can be settled; the rest is left as it was and named in an event. Anyone may call.
    function settleMany(Terms[] calldata batch) external nonReentrant {
        if (batch.length > BATCH_MAX) revert BatchTooLong(batch.length, BATCH_MAX);
        for (uint256 i = 0; i < batch.length; ++i) {
            (bool isSettled,, bytes memory reason) =
                LibCall.tryCall(address(this), 0, ITEM_GAS_MAX, REASON_MAX, abi.encodeCall(this.settleItem, (batch[i])));
            if (!isSettled) emit SettleSkipped(address(_forwarder(_hash(batch[i]))), reason);
        }
    }

    /// @notice One item of `settleMany`: a call of its own, so that all of it is undone when any of it fails.
    function settleItem(Terms calldata terms) external {
        if (msg.sender != address(this)) revert NotFactory(msg.sender);
        _settle(terms);
    }

    /// @notice Pays the platform a share that its wallet refused at settlement. Anyone may call.
    function payParked(Terms calldata terms) external nonReentrant {
        DepositForwarder forwarder = _forwarder(_saltOf(terms));
        if (address(forwarder).code.length == 0) revert NotDeployed(address(forwarder));
        forwarder.payParked(terms.token, terms.platform);
    }

    /// @notice Returns money that is neither the merchant's nor the platform's. Only the terms' operator may call.
    /// @param token What to return; zero is the chain's own coin
    /// @param amount In base units of `token`
    function refund(Terms calldata terms, address token, address to, uint256 amount) external nonReentrant {
        if (msg.sender != terms.operator) revert NotOperator(msg.sender, terms.operator);
        bytes32 salt = _saltOf(terms);
        DepositForwarder forwarder = _forwarder(salt);
        bool isNew = address(forwarder).code.length == 0;
        if (isNew) LibClone.cloneDeterministic_PUSH0(implementation, salt);
        forwarder.refund(terms, isNew, token, to, amount);
    }

    /// @dev Pays out what was received, up to the amount due. What exceeds it stays, refundable.
    /// Asking for code first costs 2,600 gas and is needed: a CREATE2 onto existing code burns all its gas, so a stranger
    /// who settles one item would spoil the batch.
    function _settle(Terms calldata terms) private {
        if (block.chainid != terms.chainId) revert WrongChain(terms.chainId, block.chainid);
        bytes32 salt = _saltOf(terms);
        DepositForwarder forwarder = _forwarder(salt);
        bool isNew = address(forwarder).code.length == 0;
        if (!isNew) forwarder.close();

        uint256 balance = SafeTransferLib.balanceOf(terms.token, address(forwarder));
        if (balance < terms.least) revert NotCovered(balance, terms.least);
        uint128 paid = balance < terms.amount ? uint128(balance) : terms.amount;
        uint128 platformAmount;
        uint128 merchantAmount;
        // A uint128 times at most 10,000 fits, and a share of at most the whole leaves no less than nothing.
        unchecked {
            platformAmount = uint128(uint256(paid) * terms.feeBps / BPS);
            merchantAmount = paid - platformAmount;
        }

        if (isNew) LibClone.cloneDeterministic_PUSH0(implementation, salt);
        forwarder.settle(terms.token, terms.merchant, merchantAmount, terms.platform, platformAmount);
    }

    function _forwarder(bytes32 salt) private view returns (DepositForwarder) {
        return DepositForwarder(payable(LibClone.predictDeterministicAddress(cloneInitCodeHash, salt, address(this))));
    }

    /// @dev Refuses terms that no honest service makes: a free or unreachable least, a fee above the whole, a missing wallet.
    function _saltOf(Terms calldata terms) private pure returns (bytes32) {
        if (terms.least == 0 || terms.least > terms.amount || terms.feeBps > BPS) revert BadTerms();
        if (terms.token == address(0) || terms.merchant == address(0) || terms.operator == address(0)) {
            revert BadTerms();
        }
        if (terms.platform == address(0) && terms.feeBps > 0) revert BadTerms();
        return _hash(terms);
    }

    /// @dev `keccak256(abi.encode(terms))` at a tenth of the gas: calldata has that layout already. Bits beyond a field's
    /// type would make another address, and reading such a field reverts.
    function _hash(Terms calldata terms) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let encoded := mload(0x40)
            calldatacopy(encoded, terms, 0x140)
            hash := keccak256(encoded, 0x140)
        }
    }
}
